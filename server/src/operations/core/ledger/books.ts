/**
 * What must agree in the books, each as a statement that returns the rows which do not: `subject`,
 * what is `expected` and what was `found`. The sums are made inside the database, so that a ledger
 * of any length costs this process a few rows. A statement sees one moment, and what belongs
 * together is booked in one transaction, so that work in progress is no difference.
 */
import { sql, type SQL } from 'drizzle-orm'

/** The books by name, as the alarm calls them. */
export const BOOKS = {
  'shares of a spend': sql`
    select t.id::text as subject, -t.coin_amount as expected, coalesce(sum(s.coin_amount), 0) as found
    from wallet_transactions t left join lot_spends s on s.spend_id = t.id
    where t.coin_amount < 0 group by t.id
    having coalesce(sum(s.coin_amount), 0) <> -t.coin_amount`,

  // A grant without a lot has -1; one that gave more than it had should have less than nothing.
  'what is left of a lot': sql`
    select t.id::text as subject, t.coin_amount - coalesce(sum(s.coin_amount), 0) as expected,
      coalesce(l.remaining_coin_amount, -1) as found
    from wallet_transactions t left join lots l on l.id = t.id
      left join lot_spends s on s.lot_id = t.id
    where t.coin_amount > 0 group by t.id, l.id
    having coalesce(l.remaining_coin_amount, -1) <> t.coin_amount - coalesce(sum(s.coin_amount), 0)`,

  // What a balance reads of a lot is what was booked.
  'wallet, end and origin of a lot': sql`
    select t.id::text as subject, t.coin_amount as expected, l.remaining_coin_amount as found
    from lots l join wallet_transactions t on t.id = l.id
    where l.wallet_id <> t.wallet_id or l.origin_id <> coalesce(t.origin_id, t.id)
      or l.coins_expire_after_at is distinct from t.coins_expire_after_at`,

  'shares that came back': sql`
    select t.id::text as subject, t.coin_amount as expected, coalesce(sum(s.coin_amount), 0) as found
    from wallet_transactions t left join lot_spends s on s.return_id = t.id
    where t.kind in ('order-refund', 'chargeback-returned')
      or (t.kind = 'adjustment' and t.reverts_id is not null)
    group by t.id having coalesce(sum(s.coin_amount), 0) <> t.coin_amount`,

  'lots of another wallet': sql`
    select s.id::text as subject, 0 as expected, s.coin_amount as found
    from lot_spends s join wallet_transactions spent on spent.id = s.spend_id
      join wallet_transactions lot on lot.id = s.lot_id
    where lot.wallet_id <> spent.wallet_id or lot.coin_amount < 0 or spent.coin_amount > 0`,

  'balance of a wallet against its lots': sql`
    select wallet_id::text as subject, sum(booked) as expected, sum(held) as found
    from (
      select wallet_id, coin_amount as booked, greatest(coin_amount, 0) as held
      from wallet_transactions
      union all
      select t.wallet_id, 0, -s.coin_amount
      from lot_spends s join wallet_transactions t on t.id = s.spend_id
    ) each_one
    group by wallet_id having sum(booked) <> sum(held)`,

  'tokens of a payment': sql`
    select p.id::text as subject, p.coin_amount as expected,
      case when t.wallet_id = c.wallet_id and t.kind in ('purchase', 'subscription-grant')
        then t.coin_amount else 0 end as found
    from payments p join wallet_transactions t on t.id = p.wallet_transaction_id
      join checkout_sessions c on c.id = p.checkout_session_id
    where t.coin_amount <> p.coin_amount or t.wallet_id <> c.wallet_id
      or t.kind not in ('purchase', 'subscription-grant')`,

  // A month that a discount made free has no payment.
  'payments of a grant': sql`
    select t.id::text as subject, 1 as expected, count(p.id) as found
    from wallet_transactions t left join payments p on p.wallet_transaction_id = t.id
    where t.kind in ('purchase', 'subscription-grant')
    group by t.id having count(p.id) > 1 or (t.kind = 'purchase' and count(p.id) = 0)`,

  'tokens of a paid checkout': sql`
    select c.id::text as subject, c.charged_coin_amount as expected,
      coalesce(sum(t.coin_amount), 0) as found
    from checkout_sessions c left join wallet_transactions t
      on t.wallet_id = c.wallet_id and t.cause = 'checkout:' || c.id
    where c.kind = 'tokens' and c.payment = 'paid' and c.settled_at is not null
    group by c.id having coalesce(sum(t.coin_amount), 0) <> c.charged_coin_amount`,

  'tokens taken back with money': sql`
    select id::text as subject,
      case when state = 'paid' and withdrawn_at is null then 0 else coin_amount end as expected,
      found
    from (
      select p.id, p.state, p.withdrawn_at, p.coin_amount,
        coalesce((
          select -sum(t.coin_amount) from wallet_transactions t
          where t.reverts_id = p.wallet_transaction_id
        ), 0) - coalesce((
          select sum(back.coin_amount) from wallet_transactions t
            join wallet_transactions back on back.reverts_id = t.id
          where t.reverts_id = p.wallet_transaction_id
        ), 0) as found
      from payments p
    ) each_one
    where found > coin_amount or found < 0
      or (state = 'paid' and withdrawn_at is null and found <> 0)
      or (state = 'refunded' and withdrawn_at is null and found <> coin_amount)`,

  'money of a withdrawal': sql`
    select p.id::text as subject, p.withdrawn_cents as expected,
      coalesce(round(p.amount_cents * -t.coin_amount / p.coin_amount::numeric), 0) as found
    from payments p left join wallet_transactions t
      on t.cause = 'withdrawal:' || p.id and t.reverts_id = p.wallet_transaction_id
    where p.withdrawn_at is not null
      and p.withdrawn_cents is distinct from
        coalesce(round(p.amount_cents * -t.coin_amount / p.coin_amount::numeric), 0)`,

  'tokens of an order': sql`
    select id::text as subject, total as expected, paid - refunded as found
    from (
      select o.id, o.status,
        coalesce((select sum(i.coin_amount) from order_line_items i where i.order_id = o.id), 0) as total,
        coalesce((select -sum(t.coin_amount) from wallet_transactions t
          where t.order_id = o.id and t.coin_amount < 0), 0) as paid,
        coalesce((select sum(t.coin_amount) from wallet_transactions t
          where t.order_id = o.id and t.coin_amount > 0), 0) as refunded
      from orders o
    ) each_one
    where refunded > paid or paid - refunded > total
      or (status = 'paid' and paid < total) or (status = 'canceled' and paid <> refunded)`,

  'refunds of an edit': sql`
    select i.task_id::text as subject, i.coin_amount as expected, sum(t.coin_amount) as found
    from order_line_items i join wallet_transactions t on t.order_id = i.order_id
      and split_part(t.cause, '#', 1) = 'task:' || i.task_id
    where t.kind = 'order-refund'
    group by i.id having sum(t.coin_amount) > i.coin_amount`,

  'rewards of a redemption': sql`
    select r.id::text as subject,
      (r.rewarded_at is not null)::int + (r.owner_rewarded_at is not null)::int as expected,
      count(t.id) as found
    from referral_redemptions r left join wallet_transactions t on t.kind = 'referral-reward'
      and t.cause in ('referral:' || r.id || ':referee', 'referral:' || r.id || ':referrer')
    group by r.id
    having count(t.id) <> (r.rewarded_at is not null)::int + (r.owner_rewarded_at is not null)::int`,

  'rewards that went back': sql`
    select r.id::text as subject,
      case when r.reversed_at is null then 0
        else (r.rewarded_at is not null)::int + (r.owner_rewarded_at is not null)::int end as expected,
      count(t.id) as found
    from referral_redemptions r left join wallet_transactions t
      on t.cause = 'referral:' || r.id || ':reversed'
    group by r.id
    having count(t.id) <> case when r.reversed_at is null then 0
      else (r.rewarded_at is not null)::int + (r.owner_rewarded_at is not null)::int end`,

  'receipt numbers of a year': sql`
    select c.series || ' ' || c.year as subject, c.last as expected,
      case c.series
        when 'payment' then
          (select count(*) from payments p where p.receipt_number like c.year || '-%')
        else (select count(*) from orders o where o.receipt_number like 'O-' || c.year || '-%')
      end as found
    from receipt_counters c
    where c.last <> case c.series
      when 'payment' then
        (select count(*) from payments p where p.receipt_number like c.year || '-%')
      else (select count(*) from orders o where o.receipt_number like 'O-' || c.year || '-%') end`,
} as const satisfies Readonly<Record<string, SQL>>

/** One of the books. */
export type BookName = keyof typeof BOOKS

/** Where two books do not agree. Amounts are tokens, cents or counts, as the book says. */
export interface Difference {
  readonly book: BookName
  /** Id of the row. */
  readonly subject: string
  readonly expected: number
  readonly found: number
}

/** A difference in one line. */
export function differenceLine({ book, subject, expected, found }: Difference): string {
  return `${book}: ${subject} has ${found}, and should have ${expected}`
}
