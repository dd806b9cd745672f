/**
 * The tables of money: tokens, payments, subscriptions and what the provider said. It is one file
 * because they refer to each other, and none can be read without what the others promise.
 */
import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { users } from './people.ts'
import { orders } from './work.ts'

export const wallets = pgTable(
  'wallets',
  {
    id: uuid('id').primaryKey(),
    /** No cascade: the ledger must outlive its person, so a user with a wallet is never deleted. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['standard', 'trial', 'brand-ambassador'] }).notNull(),
    creditLimitCoinAmount: integer('credit_limit_coin_amount').notNull().default(0),
    createdAt: at('created_at').notNull(),
  },
  (t) => [index('wallets_user').on(t.userId)],
)

/**
 * The ledger: immutable. A positive amount is a grant and is itself a lot with an optional expiry
 * (`lots` has what is left of it); a negative amount is a spend, divided over lots by `lotSpends`.
 */
export const walletTransactions = pgTable(
  'wallet_transactions',
  {
    id: uuid('id').primaryKey(),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id, { onDelete: 'cascade' }),
    kind: text('kind', {
      enum: [
        'trial-grant',
        'subscription-grant',
        'purchase',
        'referral-reward',
        'order-payment',
        'order-refund',
        'purchase-reversal',
        'chargeback',
        'chargeback-returned',
        'adjustment',
      ],
    }).notNull(),
    coinAmount: integer('coin_amount').notNull(),
    description: text('description').notNull(),
    coinsExpireAfterAt: at('coins_expire_after_at'),
    orderId: uuid('order_id'),
    /** Of a reversal: the purchase that it takes back. Of a returned chargeback: the chargeback. */
    revertsId: uuid('reverts_id').references((): AnyPgColumn => walletTransactions.id),
    /** Of tokens that are given back: the grant that they came from first; null for other rows. */
    originId: uuid('origin_id').references((): AnyPgColumn => walletTransactions.id),
    /** The subscription whose month was granted. */
    subscriptionId: uuid('subscription_id').references((): AnyPgColumn => walletSubscriptions.id),
    /**
     * What this happened for, e.g. `signup`, `task:<id>`: the same cause never books twice in one
     * wallet.
     */
    cause: text('cause').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('wallet_transactions_cause').on(t.walletId, t.cause),
    index('wallet_transactions_wallet').on(t.walletId, t.createdAt),
    index('wallet_transactions_order').on(t.orderId),
    index('wallet_transactions_expiry')
      .on(t.coinsExpireAfterAt)
      .where(sql`coins_expire_after_at is not null`),
    check('wallet_transactions_nonzero', sql`${t.coinAmount} <> 0`),
  ],
)

/**
 * What is left of each grant, so that a balance is read from the few lots that count and not from
 * all that ever happened. Only triggers of the database write it (`left_of_lot` in the first
 * migration): whatever books or changes a share, also a server of an older version that runs again,
 * keeps it right. The nightly audit holds it against the shares.
 */
export const lots = pgTable(
  'lots',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => walletTransactions.id, { onDelete: 'cascade' }),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id, { onDelete: 'cascade' }),
    /** The grant that its tokens came from first: its own, but for tokens that came back. */
    originId: uuid('origin_id')
      .notNull()
      .references(() => walletTransactions.id, { onDelete: 'cascade' }),
    /** As its transaction's; null never expires. */
    expiresAt: at('coins_expire_after_at'),
    remaining: integer('remaining_coin_amount').notNull(),
  },
  (t) => [
    index('lots_wallet').on(t.walletId),
    index('lots_left')
      .on(t.walletId, t.expiresAt)
      .where(sql`remaining_coin_amount > 0`),
    check('lots_remaining', sql`${t.remaining} >= 0`),
  ],
)

/** The shares of spends: [Note: shares] in operations/core/ledger/entries.ts. */
export const lotSpends = pgTable(
  'lot_spends',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    spendId: uuid('spend_id')
      .notNull()
      .references(() => walletTransactions.id, { onDelete: 'cascade' }),
    /** The lot that gave these tokens; null while they are debt. */
    lotId: uuid('lot_id').references(() => walletTransactions.id, { onDelete: 'cascade' }),
    /** The refund that gave these tokens back; null while none has. */
    returnId: uuid('return_id').references(() => walletTransactions.id, { onDelete: 'cascade' }),
    coinAmount: integer('coin_amount').notNull(),
  },
  (t) => [
    index('lot_spends_spend').on(t.spendId),
    index('lot_spends_lot').on(t.lotId),
    index('lot_spends_debt')
      .on(t.spendId)
      .where(sql`lot_id is null`),
    check('lot_spends_positive', sql`${t.coinAmount} > 0`),
  ],
)

/**
 * One visit to the payment provider's page, begun here first: the row is written, then the provider
 * is called with a key made of its id. What a person owes or gets follows from this row, never from
 * what the provider repeats of it.
 */
export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    /** The order that the tokens are bought for, or null. */
    orderId: uuid('order_id').references(() => orders.id),
    kind: text('kind', { enum: ['tokens', 'subscription'] }).notNull(),
    planSlug: text('plan_slug'),
    /** Tokens asked for; null of a subscription. */
    coinAmount: integer('coin_amount'),
    /** Tokens charged and credited; null of a subscription. */
    chargedCoinAmount: integer('charged_coin_amount'),
    /** Tokens that the wallet had before, which pay the order together with those bought. */
    walletCoinAmount: integer('wallet_coin_amount').notNull().default(0),
    provider: text('provider').notNull(),
    /** Null until the provider has answered. */
    providerSessionId: text('provider_session_id').unique(),
    intentKey: text('intent_key').notNull(),
    /** As the provider says: open, ended by a payment that may still be pending, or ended. */
    status: text('status', { enum: ['open', 'complete', 'expired'] }).notNull(),
    payment: text('payment', { enum: ['unpaid', 'pending', 'paid', 'failed'] }).notNull(),
    createdAt: at('created_at').notNull(),
    /** Computed once: a repeated call to the provider must carry the same value. */
    expiresAt: at('expires_at').notNull(),
    /** When the provider was last asked for it. */
    readAt: at('read_at'),
    /** When its end was booked; the provider is not asked again. */
    settledAt: at('settled_at'),
  },
  (t) => [
    unique('checkout_sessions_intent').on(t.userId, t.intentKey),
    uniqueIndex('checkout_sessions_one_open_subscription')
      .on(t.userId, t.planSlug)
      .where(sql`kind = 'subscription' and status = 'open'`),
    index('checkout_sessions_user').on(t.userId, t.createdAt),
    index('checkout_sessions_order').on(t.orderId),
    index('checkout_sessions_unsettled')
      .on(t.readAt)
      .where(sql`settled_at is null`),
  ],
)

/** What a provider keeps to bill a person by, as last read from it; no numbers. */
export const storedPaymentMethods = pgTable(
  'stored_payment_methods',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull(),
    providerMethodId: text('provider_method_id').notNull().unique(),
    isActive: boolean('is_active').notNull(),
    /** HMAC of what the provider knows the card by (commerce/payments/card-hash.ts), or null. */
    cardHash: text('card_hash'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('stored_payment_methods_user').on(t.userId, t.createdAt),
    index('stored_payment_methods_card').on(t.cardHash),
  ],
)

/** A monthly plan of one person, as last read from the provider. */
export const walletSubscriptions = pgTable(
  'wallet_subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    planSlug: text('plan_slug').notNull(),
    provider: text('provider').notNull(),
    providerSubscriptionId: text('provider_subscription_id').notNull().unique(),
    status: text('status', {
      enum: ['active', 'payment-problem', 'canceling', 'expired'],
    }).notNull(),
    /** End of the last month that was paid; null before the first payment. */
    paidThrough: at('paid_through'),
    periodEndsAt: at('period_ends_at').notNull(),
    cancelsAt: at('cancels_at'),
    topUpCoinAmount: integer('top_up_coin_amount').notNull(),
    createdAt: at('created_at').notNull(),
    endedAt: at('ended_at'),
    /** When the reading began that this row shows; an older reading does not overwrite it. */
    readAt: at('read_at').notNull(),
    /** When it is read again without a notice; null when it is over. */
    readDueAt: at('read_due_at'),
  },
  (t) => [
    index('wallet_subscriptions_user').on(t.userId, t.createdAt),
    index('wallet_subscriptions_due').on(t.readDueAt),
  ],
)

/**
 * Money that arrived, and what of it went back. Amounts are whole cents, tax included; `coinAmount`
 * is what was credited for it.
 */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull(),
    providerPaymentId: text('provider_payment_id').notNull().unique(),
    checkoutSessionId: uuid('checkout_session_id')
      .notNull()
      .references(() => checkoutSessions.id),
    walletSubscriptionId: uuid('wallet_subscription_id').references(() => walletSubscriptions.id),
    /** The lot that was credited for it. */
    walletTransactionId: uuid('wallet_transaction_id')
      .notNull()
      .references(() => walletTransactions.id),
    amountCents: integer('amount_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** ISO 4217, lower case. */
    currency: text('currency').notNull(),
    coinAmount: integer('coin_amount').notNull(),
    paidAt: at('paid_at').notNull(),
    receiptNumber: text('receipt_number').notNull().unique(),
    /** As last read: how it stands, and what refunds have given back. */
    state: text('state', {
      enum: ['paid', 'partly-refunded', 'refunded', 'disputed', 'lost'],
    }).notNull(),
    refundedCents: integer('refunded_cents').notNull(),
    /** Null unless the person has given unused tokens back; the provider then owes a refund. */
    withdrawnAt: at('withdrawn_at'),
    withdrawnCents: integer('withdrawn_cents'),
    /** When the reading began that `state` shows; an older reading does not overwrite it. */
    readAt: at('read_at'),
    /** When it is read again without a notice; null when no more money can go back. */
    readDueAt: at('read_due_at'),
  },
  (t) => [
    index('payments_user').on(t.userId, t.paidAt),
    index('payments_due').on(t.readDueAt),
    index('payments_lot').on(t.walletTransactionId),
    check('payments_withdrawal', sql`(${t.withdrawnAt} is null) = (${t.withdrawnCents} is null)`),
  ],
)

/** The last receipt number of each year, without gaps: locked until its booking is committed. */
export const receiptCounters = pgTable(
  'receipt_counters',
  {
    series: text('series', { enum: ['payment', 'order'] }).notNull(),
    year: integer('year').notNull(),
    last: integer('last').notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
)

/** Notices of the provider: only that an object is worth reading again. Each is kept once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    /** What to read again; null for a notice that concerns nothing of ours. */
    objectKind: text('object_kind', { enum: ['session', 'subscription', 'payment'] }),
    objectId: text('object_id'),
    occurredAt: at('occurred_at').notNull(),
    receivedAt: at('received_at').notNull(),
    /** When its object was last read for it, successfully or not. */
    readAt: at('read_at'),
    settledAt: at('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.eventId] }),
    index('payment_events_unsettled')
      .on(t.receivedAt)
      .where(sql`settled_at is null`),
    index('payment_events_settled').on(t.settledAt),
  ],
)

/** What the provider `test` remembers: sessions, subscriptions, what went back (payments/test). */
export const testPayments = pgTable(
  'test_payments',
  {
    id: text('id').primaryKey(),
    /** The key of the call that made it. */
    intentKey: text('intent_key').notNull().unique(),
    state: jsonb('state').notNull(),
    /** When it next changes by itself; null when it does not. */
    dueAt: at('due_at'),
  },
  (t) => [index('test_payments_due').on(t.dueAt)],
)

/** Notices that the provider `test` has still to deliver. */
export const testNotices = pgTable(
  'test_notices',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    objectKind: text('object_kind', { enum: ['session', 'subscription', 'payment'] }).notNull(),
    objectId: text('object_id').notNull(),
    occurredAt: at('occurred_at').notNull(),
    dueAt: at('due_at').notNull(),
    /** How often it is delivered. */
    copies: integer('copies').notNull(),
  },
  (t) => [index('test_notices_due').on(t.dueAt)],
)
