-- Boxes of live tables that deal: each with its bets apart, so that doubles, splits and insurances
-- are told from the bets that they stand beside.

CREATE TABLE {book}.p_boxes_rows (
    generation int NOT NULL,
    round uuid NOT NULL,
    session uuid NOT NULL,
    game text NOT NULL,
    sheet text NOT NULL,
    sheet_version int NOT NULL,
    currency text NOT NULL,
    live_table text NOT NULL,
    table_round uuid NOT NULL,
    seat int NOT NULL,
    opened_at timestamptz NOT NULL,
    bets jsonb NOT NULL,
    ended_at timestamptz,
    settled bool NOT NULL,
    PRIMARY KEY (generation, round)
);
CREATE INDEX p_boxes_table ON {book}.p_boxes_rows (generation, live_table, opened_at);

DO $body$
BEGIN
    EXECUTE format(
        'CREATE VIEW %1$I.p_boxes AS SELECT * FROM %1$I.p_boxes_rows WHERE generation = '
        '(SELECT p.generation FROM %1$I.p_projections p WHERE p.name = ''boxes'' AND p.live)',
        {book_name});
    EXECUTE format(
        'CREATE VIEW %1$I.p_box_bets AS SELECT o.round, o.session, o.game, o.sheet, '
        'o.sheet_version, o.currency, o.live_table, o.table_round, o.seat, o.opened_at, '
        'o.ended_at, o.settled, b.bet, b.details->>''kind'' AS kind, b.details, b.staked, '
        'b.refunded, b.winnings, b.stake_returned FROM %1$I.p_boxes o CROSS JOIN LATERAL '
        'jsonb_to_recordset(o.bets) AS b(bet int, details jsonb, staked bigint, '
        'refunded bigint, winnings bigint, stake_returned bigint)',
        {book_name});
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON %I.p_boxes_rows TO %I',
        {book_name}, {book_name} || '_worker');
    EXECUTE format(
        'GRANT SELECT ON %1$I.p_boxes, %1$I.p_boxes_rows, %1$I.p_box_bets TO %2$I, %3$I, %4$I',
        {book_name}, {book_name} || '_worker', {book_name} || '_writer', {book_name} || '_reader');
END $body$;
