-- What timed duties look for and leave: sessions whose time of play is over, and records that were
-- blocked.

ALTER TABLE {book}.p_sessions_rows
    ADD COLUMN limit_seconds bigint,
    ADD COLUMN plays_until timestamptz;
DROP INDEX {book}.p_sessions_due;
CREATE INDEX p_sessions_due ON {book}.p_sessions_rows (generation, least(due_at, plays_until))
    WHERE state = 'open';

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

DO $body$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON '
        '%1$I.p_release_blocks FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()',
        {book_name});
    EXECUTE format(
        'ALTER TABLE %I.p_release_blocks ENABLE ALWAYS TRIGGER refuse_change', {book_name});
    EXECUTE format(
        'CREATE OR REPLACE VIEW %1$I.p_sessions AS SELECT * FROM %1$I.p_sessions_rows '
        'WHERE generation = (SELECT p.generation FROM %1$I.p_projections p '
        'WHERE p.name = ''sessions'' AND p.live)', {book_name});
END $body$;
GRANT SELECT, INSERT ON {book}.p_release_blocks TO {worker};
GRANT SELECT ON {book}.p_release_blocks TO {writer}, {reader};
