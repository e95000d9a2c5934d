-- The days whose rights were compared with the central system's totals, so that a day on which it
-- told none is compared later.

CREATE TABLE {book}.p_central_days (
    day date PRIMARY KEY,
    compared_at timestamptz NOT NULL
);
COMMENT ON TABLE {book}.p_central_days IS
    'Days that were over when they were compared with the totals of the central system, each once.';

DO $body$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$I.p_central_days '
        'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()', {book_name});
    EXECUTE format(
        'ALTER TABLE %I.p_central_days ENABLE ALWAYS TRIGGER refuse_change', {book_name});
END $body$;

GRANT SELECT, INSERT ON {book}.p_central_days TO {worker};
GRANT SELECT ON {book}.p_central_days TO {writer}, {reader};
