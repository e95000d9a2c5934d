-- Double-ups beside the base game's figures, and each as a bet of its own kind. Rows of an older
-- generation are read on until the rebuild of their projection takes their place.

ALTER TABLE {book}.p_turnover_rows
    ADD COLUMN bet_kind text NOT NULL DEFAULT '',
    ADD COLUMN double_ups bigint NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_staked bigint NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_returned bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT p_turnover_rows_pkey,
    ADD PRIMARY KEY
        (generation, day, game, sheet, sheet_version, bet_kind, level, channel, currency);

ALTER TABLE {book}.p_rounds_rows
    ADD COLUMN double_ups int NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_staked bigint NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_returned bigint NOT NULL DEFAULT 0;

ALTER TABLE {book}.p_sessions_rows
    ADD COLUMN double_ups bigint NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_staked bigint NOT NULL DEFAULT 0,
    ADD COLUMN double_ups_returned bigint NOT NULL DEFAULT 0;

CREATE TABLE {book}.p_double_ups_rows (
    generation int NOT NULL,
    round uuid NOT NULL,
    number int NOT NULL,
    session uuid NOT NULL,
    game text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    currency text NOT NULL,
    staked_at timestamptz NOT NULL,
    half bool NOT NULL,
    at_risk bigint NOT NULL CHECK (at_risk > 0),
    kept bigint NOT NULL,
    draws jsonb NOT NULL,
    outcome text CHECK (outcome IN ('won', 'pushed', 'lost')),
    returned bigint,
    resolved_at timestamptz,
    PRIMARY KEY (generation, round, number),
    CHECK ((outcome IS NULL) = (returned IS NULL) AND (outcome IS NULL) = (resolved_at IS NULL))
);
CREATE INDEX p_double_ups_session ON {book}.p_double_ups_rows (generation, session, staked_at);

DO $body$
DECLARE
    folded text;
    owner_of text;
BEGIN
    FOREACH folded IN ARRAY ARRAY[
        'turnover:turnover', 'rounds:rounds', 'sessions:sessions', 'double_ups:double-ups'] LOOP
        owner_of := split_part(folded, ':', 2);
        folded := split_part(folded, ':', 1);
        EXECUTE format(
            'CREATE OR REPLACE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', owner_of);
    END LOOP;
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.p_double_ups_rows TO %I',
        {book_name}, {book_name} || '_worker');
    EXECUTE format(
        'GRANT SELECT ON %1$I.p_double_ups, %1$I.p_double_ups_rows TO %2$I, %3$I, %4$I',
        {book_name}, {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
END $body$;
