-- What returns are held against chance by: sums of stakes and of exact moments, outcomes as they
-- fell, the alerts that were raised, and the register of the days that were looked at.

CREATE TABLE {book}.p_rtp_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    bet_kind text NOT NULL,
    level text NOT NULL,
    channel text NOT NULL,
    live_table text NOT NULL,
    currency text NOT NULL,
    rounds bigint NOT NULL,
    turnover bigint NOT NULL,
    returned bigint NOT NULL,
    squares numeric NOT NULL,
    watched bigint NOT NULL,
    expectation numeric NOT NULL,
    variance numeric NOT NULL,
    PRIMARY KEY (generation, day, sheet, sheet_version, bet_kind, level, channel, live_table,
                 currency)
);
COMMENT ON COLUMN {book}.p_rtp_rows.squares IS
    'The sum over rounds of the square of the stake, in minor units squared.';
COMMENT ON COLUMN {book}.p_rtp_rows.expectation IS
    'The sum of exact expectations of the watched rounds, times the number of ways of an outcome.';
COMMENT ON COLUMN {book}.p_rtp_rows.variance IS
    'The sum of their exact variances, times the square of that number.';

CREATE TABLE {book}.p_outcomes_rows (
    generation int NOT NULL,
    day date NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    live_table text NOT NULL,
    draw text NOT NULL,
    outcome text NOT NULL,
    times bigint NOT NULL,
    PRIMARY KEY (generation, day, sheet, sheet_version, live_table, draw, outcome)
);

CREATE TABLE {book}.p_rtp_alerts_rows (
    generation int NOT NULL,
    alert uuid NOT NULL,
    raised_at timestamptz NOT NULL,
    grade text NOT NULL CHECK (grade IN ('warning', 'alarm')),
    statistic text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    subject text NOT NULL,
    period text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    value text NOT NULL,
    threshold text NOT NULL,
    rounds bigint NOT NULL,
    checkpoint_size bigint NOT NULL,
    acknowledged_at timestamptz,
    person text,
    finding text,
    PRIMARY KEY (generation, alert)
);

CREATE TABLE {book}.p_rtp_looks (
    day date PRIMARY KEY REFERENCES {book}.day_closings,
    alerts int NOT NULL CHECK (alerts >= 0),
    looked_at timestamptz NOT NULL
);
COMMENT ON TABLE {book}.p_rtp_looks IS
    'When the returns and outcomes of each closed day were looked at, and how many alerts it gave.';

DO $body$
DECLARE
    folded text;
    owner_of text;
BEGIN
    FOREACH folded IN ARRAY ARRAY['rtp:rtp', 'outcomes:rtp', 'rtp_alerts:rtp-alerts'] LOOP
        owner_of := split_part(folded, ':', 2);
        folded := split_part(folded, ':', 1);
        EXECUTE format(
            'CREATE VIEW %1$I.%2$I AS SELECT * FROM %1$I.%3$I WHERE generation = '
            '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = %4$L AND p.live)',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', owner_of);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO %I',
            {book_name}, 'p_' || folded || '_rows', {book_name} || '_worker');
        EXECUTE format(
            'GRANT SELECT ON %1$I.%2$I, %1$I.%3$I TO %4$I, %5$I, %6$I',
            {book_name}, 'p_' || folded, 'p_' || folded || '_rows', {book_name} || '_worker',
            {book_name} || '_writer', {book_name} || '_reader');
    END LOOP;
END $body$;

GRANT SELECT, INSERT ON {book}.p_rtp_looks TO {worker};
GRANT SELECT ON {book}.p_rtp_looks TO {writer}, {reader};
