-- What the journal's lines of each closed day sum up to, taken once, so that a report of a month or of
-- all the book's life does not read years of the journal again. A closed day's sums are final.

CREATE TABLE {book}.p_day_sums (
    control text NOT NULL,
    folded_by text NOT NULL,
    day date NOT NULL REFERENCES {book}.day_closings,
    sums jsonb NOT NULL,
    PRIMARY KEY (control, folded_by, day)
);
COMMENT ON TABLE {book}.p_day_sums IS
    'Turnover and revenue in minor units by currency, of the lines that a control of a report is of.';
COMMENT ON COLUMN {book}.p_day_sums.folded_by IS
    'The projections that it was taken of, with their versions: those of another version are taken anew.';

DO $body$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$I.p_day_sums '
        'FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()',
        {book_name});
    EXECUTE format(
        'ALTER TABLE %I.p_day_sums ENABLE ALWAYS TRIGGER refuse_change', {book_name});
END $body$;

GRANT SELECT, INSERT ON {book}.p_day_sums TO {worker};
GRANT SELECT ON {book}.p_day_sums TO {writer}, {reader};
