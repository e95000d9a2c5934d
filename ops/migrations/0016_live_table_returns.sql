-- Returns of live tables by outcome, whose bets of all seats fall together, and what the cards of
-- shoes tell against chance, each card beside the shoe that it came out of.

CREATE TABLE {book}.p_table_returns_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    live_table text NOT NULL,
    level text NOT NULL,
    channel text NOT NULL,
    currency text NOT NULL,
    outcomes bigint NOT NULL,
    rounds bigint NOT NULL,
    turnover bigint NOT NULL,
    returned bigint NOT NULL,
    expectation numeric NOT NULL,
    variance numeric NOT NULL,
    PRIMARY KEY (generation, day, sheet, sheet_version, live_table, level, channel, currency)
);
COMMENT ON TABLE {book}.p_table_returns_rows IS
    'What outcomes of live tables decided, by the day of the outcome. Rows of a level or of a '
    'channel are parts of those that name neither, and their variances do not add up to them.';
COMMENT ON COLUMN {book}.p_table_returns_rows.returned IS
    'Credited and held by the outcomes, with what prisoners gained of their worth or lost.';
COMMENT ON COLUMN {book}.p_table_returns_rows.expectation IS
    'The sum of exact expectations of that, times the number of ways of an outcome.';
COMMENT ON COLUMN {book}.p_table_returns_rows.variance IS
    'The sum over outcomes of the exact variance of all bets together, times its square.';

CREATE TABLE {book}.p_evidence_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    live_table text NOT NULL,
    draw text NOT NULL,
    outcome text NOT NULL,
    ratio text NOT NULL,
    billionths bigint NOT NULL,
    PRIMARY KEY (generation, day, sheet, sheet_version, live_table, draw, outcome, ratio)
);
COMMENT ON COLUMN {book}.p_evidence_rows.billionths IS
    'Of the natural logarithm of how much likelier the draws are if the outcome comes so many '
    'times as often as it should, each draw rounded down.';

DO $body$
DECLARE
    folded text;
BEGIN
    FOREACH folded IN ARRAY ARRAY['p_table_returns', 'p_evidence'] LOOP
        EXECUTE format(
            'CREATE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = ''rtp'' AND p.live)',
            {book_name}, folded, folded || '_rows');
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO %I',
            {book_name}, folded || '_rows', {book_name} || '_worker');
        EXECUTE format(
            'GRANT SELECT ON %1$I.%2$I, %1$I.%3$I TO %4$I, %5$I, %6$I',
            {book_name}, folded, folded || '_rows', {book_name} || '_worker',
            {book_name} || '_writer', {book_name} || '_reader');
    END LOOP;
END $body$;
