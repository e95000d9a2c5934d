-- What timed duties look for and leave: sessions whose time of play is over, series whose
-- time is over, records that were blocked, and statements that were taken in.

ALTER TABLE {book}.p_sessions_rows
    ADD COLUMN limit_seconds bigint,
    ADD COLUMN plays_until timestamptz;
DROP INDEX {book}.p_sessions_due;
CREATE INDEX p_sessions_due ON {book}.p_sessions_rows (generation, least(due_at, plays_until))
    WHERE state = 'open';

CREATE TABLE {book}.p_series_rows (
    generation int NOT NULL,
    series uuid NOT NULL,
    keep_seconds bigint NOT NULL,
    due_at timestamptz,
    PRIMARY KEY (generation, series)
);
COMMENT ON COLUMN {book}.p_series_rows.due_at IS
    'When the time of the series is over; null where it is expired or told.';

CREATE TABLE {book}.p_release_blocks (
    authority text NOT NULL,
    period text NOT NULL,
    digest text NOT NULL,
    findings jsonb NOT NULL,
    blocked_at timestamptz NOT NULL,
    PRIMARY KEY (authority, period, digest)
);
COMMENT ON TABLE {book}.p_release_blocks IS
    'What controls found in records that were due for an authority, which blocked their release.';

CREATE TABLE {book}.p_statements (
    channel text NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    lines bigint NOT NULL,
    agreeing bigint NOT NULL,
    found bigint NOT NULL,
    taken_at timestamptz NOT NULL,
    PRIMARY KEY (channel, digest)
);
COMMENT ON TABLE {book}.p_statements IS
    'Statements of payment providers that were taken in, each once, by the SHA-256 of its bytes.';

DO $body$
DECLARE
    register text;
BEGIN
    FOREACH register IN ARRAY ARRAY['p_release_blocks', 'p_statements'] LOOP
        EXECUTE format(
            'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$I.%2$I '
            'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()', {book_name}, register);
        EXECUTE format(
            'ALTER TABLE %I.%I ENABLE ALWAYS TRIGGER refuse_change', {book_name}, register);
    END LOOP;
    EXECUTE format(
        'CREATE OR REPLACE VIEW %1$I.p_sessions AS SELECT * FROM %1$I.p_sessions_rows '
        'WHERE generation = (SELECT p.generation FROM %1$I.p_projections p '
        'WHERE p.name = ''sessions'' AND p.live)', {book_name});
    EXECUTE format(
        'CREATE VIEW %1$I.p_series AS SELECT * FROM %1$I.p_series_rows WHERE generation = '
        '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = ''series'' AND p.live)',
        {book_name});
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.p_series_rows TO %I',
        {book_name}, {book_name} || '_worker');
    EXECUTE format(
        'GRANT SELECT ON %1$I.p_series, %1$I.p_series_rows TO %2$I, %3$I, %4$I',
        {book_name}, {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
END $body$;
GRANT SELECT, INSERT ON {book}.p_release_blocks, {book}.p_statements TO {worker};
GRANT SELECT ON {book}.p_release_blocks, {book}.p_statements TO {writer}, {reader};
