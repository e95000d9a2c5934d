-- Play by account type, rounds that took a number of a FairPlay series, and demo rounds apart from
-- money. Rows of an older generation are read on until the rebuild of their projection.

ALTER TABLE {book}.p_turnover_rows
    ADD COLUMN account text NOT NULL DEFAULT '',
    DROP CONSTRAINT p_turnover_rows_pkey,
    ADD PRIMARY KEY
        (generation, day, game, sheet, sheet_version, bet_kind, account, level, channel, currency);

ALTER TABLE {book}.p_rounds_rows
    ADD COLUMN account text,
    ADD COLUMN series uuid;
CREATE INDEX p_rounds_series ON {book}.p_rounds_rows (generation, opened_at)
    WHERE series IS NOT NULL AND ended_at IS NULL;

CREATE TABLE {book}.p_demo_rounds_rows (
    generation int NOT NULL,
    day date NOT NULL,
    game text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    account text NOT NULL,
    rounds bigint NOT NULL,
    staked bigint NOT NULL,
    credited bigint NOT NULL,
    PRIMARY KEY (generation, day, game, sheet, sheet_version, account)
);
COMMENT ON TABLE {book}.p_demo_rounds_rows IS
    'Rounds with demo chips, whose stakes and credits are no money and in no turnover.';

DO $body$
DECLARE
    folded text;
    owner_of text;
BEGIN
    FOREACH folded IN ARRAY ARRAY['turnover:turnover', 'rounds:rounds', 'demo_rounds:turnover'] LOOP
        owner_of := split_part(folded, ':', 2);
        folded := split_part(folded, ':', 1);
        EXECUTE format(
            'CREATE OR REPLACE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', owner_of);
    END LOOP;
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.p_demo_rounds_rows TO %I',
        {book_name}, {book_name} || '_worker');
    EXECUTE format(
        'GRANT SELECT ON %1$I.p_demo_rounds, %1$I.p_demo_rounds_rows TO %2$I, %3$I, %4$I',
        {book_name}, {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
END $body$;
