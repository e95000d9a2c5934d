-- Live tables told apart: at which one a round was bet, where a session sits, and the drop of each
-- seat. Rows of an older generation are read on until the rebuild of their projection.

ALTER TABLE {book}.p_rounds_rows ADD COLUMN live_table text;

ALTER TABLE {book}.p_sessions_rows
    ADD COLUMN live_table text,
    ADD COLUMN seat int,
    ADD COLUMN to_drop bigint NOT NULL DEFAULT 0;

CREATE TABLE {book}.p_table_drop_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    live_table text NOT NULL,
    seat int NOT NULL,
    currency text NOT NULL,
    drop bigint NOT NULL,
    PRIMARY KEY (generation, day, sheet, live_table, seat, currency)
);
COMMENT ON TABLE {book}.p_table_drop_rows IS
    'What participation rights brought to a seat of a live table, on the day when it came there.';

DO $body$
DECLARE
    folded text;
    owner_of text;
BEGIN
    FOREACH folded IN ARRAY ARRAY[
        'rounds:rounds', 'sessions:sessions', 'table_drop:sessions'] LOOP
        owner_of := split_part(folded, ':', 2);
        folded := split_part(folded, ':', 1);
        EXECUTE format(
            'CREATE OR REPLACE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', owner_of);
    END LOOP;
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.p_table_drop_rows TO %I',
        {book_name}, {book_name} || '_worker');
    EXECUTE format(
        'GRANT SELECT ON %1$I.p_table_drop, %1$I.p_table_drop_rows TO %2$I, %3$I, %4$I',
        {book_name}, {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
END $body$;
