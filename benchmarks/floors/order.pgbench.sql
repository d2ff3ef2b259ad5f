-- The rows of an order of three lines, in one statement as a client would send it.
\set store random(1, 20)
\set item random(1, 50)
WITH placed AS (
    INSERT INTO "order" (store_id, type, status, customer_name, note, total_minor, created_at)
    VALUES (:store, 'takeaway', 'new', 'Ada', 'No napkins', 3800, now()) RETURNING id),
lines AS (
    INSERT INTO order_line (order_id, item_id, quantity, unit_price_minor, extras)
    SELECT placed.id, :item + n, 1, 950, '[]' FROM placed, generate_series(1, 3) AS n),
event AS (
    INSERT INTO outbox (name, data, due_at)
    SELECT 'order.created', jsonb_build_object('order_id', placed.id), now() FROM placed)
SELECT id FROM placed;
