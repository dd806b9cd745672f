import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { openDb } from '#server/db/client.ts'
import { CLUSTER_OWNER } from '#server/db/embedded/initialise.ts'
import type { EmbeddedPostgres } from '#server/db/embedded/launch.ts'

/** Whose rows a test reads among those of all others. */
export interface Owner {
  readonly userId: string
  readonly walletId: string
}

/**
 * Fills every table that grows with thousands of rows and counts them for the planner. 12 of 6,000
 * jobs belong to `owner`; their ids are `manyId('job', n)` for each n that 500 divides. Neither
 * references nor triggers are looked at, which would take most of the time.
 */
export async function storeManyRows(
  connection: EmbeddedPostgres['connection'],
  { userId, walletId }: Owner,
): Promise<void> {
  const user = sql`case when n % 500 = 0 then ${userId}::uuid else ${id('user', sql`n % 5000`)} end`
  const wallet = sql`case when n % 500 = 0 then ${walletId}::uuid else ${id('wallet', sql`n % 5000`)} end`
  // Two rows are never of the same age, and all are of the last hours.
  const made = sql`now() - n * interval '1 second'`
  // What ended is told for a day. Where all had ended today, reading all of it would be right.
  const ended = sql`now() - n * interval '1 hour'`
  const later = sql`now() + n * interval '1 second'`
  const n = sql`n`
  const rows = [
    [
      5_000,
      sql`users (id, email, trial_ends_at, created_at)
        select ${id('user', n)}, 'many-' || n || '@example.com', now() + n * interval '1 hour', ${made}`,
    ],
    [
      5_000,
      sql`wallets (id, user_id, kind, created_at)
        select ${id('wallet', n)}, ${id('user', n)}, 'trial', ${made}`,
    ],
    [
      20_000,
      sql`sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
        select ${id('session', n)}, ${user}, 'many-' || n, ${made}, ${made}, ${later}`,
    ],
    [
      10_000,
      sql`push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
        select ${id('told', n)}, ${user}, ${id('session', n)}, 'https://push.example/' || n, '', '', ${made}`,
    ],
    [
      10_000,
      sql`pushes (id, subscription_id, topic, title, path, shown_on, created_at, due_at)
        select ${id('push', n)}, ${id('told', n)}, 'many-' || n, 'x', '/edits', '{}', ${made}, ${later}`,
    ],
    [
      10_000,
      sql`notices (id, user_id, kind, cause, created_at)
        select ${id('notice', n)}, ${user}, 'edits-ready', ${id('told', n)}, ${made}`,
    ],
    [
      10_000,
      sql`passkeys (id, user_id, credential_id, public_key, counter, transports, is_backed_up, name, created_at)
        select ${id('passkey', n)}, ${user}, 'many-' || n, '', 0, '{}', false, 'x', ${made}`,
    ],
    [
      10_000,
      sql`external_auths (id, user_id, provider, account_email, scopes, access_expires_at, created_at)
        select ${id('drive', n)}, ${user}, 'google-oauth', 'many-' || n, '', ${made}, ${made}`,
    ],
    [
      10_000,
      sql`oauth_states (state_hash, session_id, verifier_cipher, landing_path, wants_pick, expires_at)
        select 'many-' || n, ${id('session', n)}, '', '', false, ${later}`,
    ],
    [
      10_000,
      sql`edit_sets (id, user_id, name, requests, created_at)
        select ${id('set', n)}, ${user}, 'x', '[]', ${made}`,
    ],
    [
      10_000,
      sql`magic_links (id, email, purpose, token_hash, code_hash, browser_hash, redirect_uri, created_at, expires_at)
        select ${id('link', n)}, 'many-' || n || '@example.com', 'login', 'many-' || n, '', '', '/', ${made}, ${later}`,
    ],
    [10_000, sql`spent_challenges (signature, expires_at) select 'many-' || n, ${later}`],
    [
      20_000,
      sql`security_events (at, event, user_id, facts)
        select ${made}, case when n % 3 = 0 then 'signed-in' else 'many-' || n % 20 end, ${user}, '{}'`,
    ],
    [20_000, sql`rate_events (key, at) select 'many-' || n % 5000, ${made}`],
    [
      10_000,
      sql`idempotent_answers (user_id, operation, key, body_hash, status, body, created_at)
        select ${user}, 'createOrder', 'many-' || n, '', 200, '{}', ${made}`,
    ],
    [
      10_000,
      sql`mails (id, recipient, subject, text, html, created_at)
        select ${id('mail', n)}, 'many-' || n || '@example.com', '', '', '', ${made}`,
    ],
    [
      6_000,
      sql`upload_requests (id, user_id, idempotency_key, body_hash, purpose, provider, client_filename, size_bytes,
          part_size_bytes, part_count, state, object_key, created_at, upload_ended_at)
        select ${id('upload', n)}, ${user}, 'many-' || n, '', 'media-job', 's3-multipart', 'scene.mp4', 4000,
          1000, 4, 'validated', 'many/' || n, ${made}, ${made}`,
    ],
    [
      5_000,
      sql`upload_imports (upload_request_id, host, link_cipher, takes_ranges, next_at, last_byte_at)
        select ${id('upload', n)}, 'x', '', true, ${later}, ${made}`,
    ],
    [
      24_000,
      sql`upload_parts (upload_request_id, part_number, e_tag, size_bytes, stored_at)
        select ${id('upload', sql`1 + (n - 1) / 4`)}, 1 + (n - 1) % 4, repeat('ab', 32), 1000, ${made}`,
    ],
    [
      24_000,
      sql`part_checksums (upload_request_id, part_number, checksum_sha256)
        select ${id('upload', sql`1 + (n - 1) / 4`)}, 1 + (n - 1) % 4, repeat('ab', 22)`,
    ],
    [
      6_000,
      sql`deletion_log (id, user_id, upload_request_id, what, reason, size_bytes, object_key, begun_at, done_at)
        select ${id('deletion', n)}, ${user}, ${id('upload', n)}, 'source', 'owner', 1000, 'many/' || n, ${made}, ${made}`,
    ],
    [
      6_000,
      sql`attestations (upload_request_id, user_id, media_job_id, version, text_sha256, attested_at)
        select ${id('upload', n)}, ${user}, ${id('job', n)}, 'x', '', ${made}`,
    ],
    [
      5_000,
      sql`reports (id, receipt_number, video, relation, reason, signature, contact, received_at)
        select ${id('report', n)}, 'R-' || n, 'x', 'other', 'x', 'x', 'x@example.com', ${made}`,
    ],
    [
      10_000,
      sql`report_steps (report_id, step, actor, upload_request_id, at)
        select ${id('report', sql`1 + (n - 1) / 2`)}, 'shown', 'x', ${id('upload', n)}, ${made}`,
    ],
    [
      5_000,
      sql`blocked_files (sha256, size_bytes, report_id, blocked_at)
        select 'many-' || n, n, ${id('report', n)}, ${made}`,
    ],
    [
      2_000,
      sql`known_videos (upload_request_id, pictures, made_at)
        select ${id('upload', n)}, 'x', ${made}`,
    ],
    [
      6_000,
      sql`media_assets (id, user_id, upload_request_id, name, created_at)
        select ${id('asset', n)}, ${user}, ${id('upload', n)}, 'asset', ${made}`,
    ],
    [
      6_000,
      sql`media_jobs (id, user_id, upload_request_id, name, workflow_started_at, workflow_ended_at, created_at)
        select ${id('job', n)}, ${user}, ${id('upload', n)}, 'Scene ' || n, ${ended}, ${ended}, ${made}`,
    ],
    [
      30_000,
      sql`media_job_tasks (id, media_job_id, position, preset_slug, name, payload, status, progress_ratio, created_at)
        select ${id('task', n)}, ${id('job', sql`1 + (n - 1) / 5`)}, n % 5, 'still-pack', 'Still pack', '{}', 'succeeded', 1, ${made}`,
    ],
    [
      30_000,
      sql`face_reviews (task_id, revision, decisions, saved_at)
        select ${id('task', n)}, 1, '{"uncovered":[],"added":[],"wholly":[]}', ${made}`,
    ],
    [
      6_000,
      sql`face_findings (upload_request_id, finding, size_bytes, found_at)
        select ${id('upload', n)}, '{"version":1,"tracks":[],"shots":[]}', 100, ${made}`,
    ],
    [
      6_000,
      sql`samples (id, upload_request_id, preset_slug, payload, sound, state, created_at)
        select ${id('sample', n)}, ${id('upload', n)}, 'denoised-full-scene', '{}', 0, 'ready', ${made}`,
    ],
    [
      30_000,
      sql`task_outputs (id, task_id, position, kind, text)
        select ${id('output', n)}, ${id('task', n)}, 0, 'text', 'x'`,
    ],
    [
      30_000,
      sql`drive_saves (id, user_id, external_auth_id, output_id, state, next_at, last_byte_at, created_at)
        select ${id('save', n)}, ${user}, ${id('drive', sql`1 + n % 5000`)}, ${id('output', n)}, 'saved', ${made}, ${made}, ${made}`,
    ],
    [
      6_000,
      sql`orders (id, user_id, media_job_id, status, created_at, paid_at)
        select ${id('order', n)}, ${user}, ${id('job', n)}, 'paid', ${made}, ${made}`,
    ],
    [
      30_000,
      sql`order_line_items (id, order_id, task_id, position, product_slug, description, pricing, coin_amount)
        select ${id('item', n)}, ${id('order', sql`1 + (n - 1) / 5`)}, ${id('task', n)}, n % 5, 'media-job-task', 'Still pack',
          '{"quantity":1,"usage":null,"pricingStrategy":{"pricingStrategySlug":"per-unit","coinAmountPerUnit":1}}', 1`,
    ],
    [
      30_000,
      sql`wallet_transactions (id, wallet_id, kind, coin_amount, description, order_id, cause, created_at)
        select ${id('spend', n)}, ${wallet}, 'order-payment', -1, 'x', ${id('order', sql`1 + (n - 1) / 5`)}, 'many:' || n, ${made}`,
    ],
    [
      20_000,
      sql`wallet_transactions (id, wallet_id, kind, coin_amount, description, cause, created_at)
        select ${id('grant', n)}, ${id('wallet', sql`1 + n % 5000`)}, 'trial-grant', 1000, 'x', 'grant:' || n, ${made}`,
    ],
    [
      20_000,
      sql`lots (id, wallet_id, origin_id, remaining_coin_amount)
        select ${id('grant', n)}, ${id('wallet', sql`1 + n % 5000`)}, ${id('grant', n)},
          1000 - case when n <= 5000 then 6 else 0 end`,
    ],
    [
      30_000,
      sql`lot_spends (spend_id, lot_id, coin_amount)
        select ${id('spend', n)}, ${id('grant', sql`1 + n % 5000`)}, 1`,
    ],
    [
      6_000,
      sql`checkout_sessions (id, user_id, wallet_id, kind, coin_amount, charged_coin_amount, provider, provider_session_id,
          intent_key, status, payment, created_at, expires_at, read_at, settled_at)
        select ${id('checkout', n)}, ${user}, ${wallet}, 'tokens', 2000, 2000, 'test', 'many-' || n, 'many-' || n,
          'complete', 'paid', ${made}, ${later}, ${made}, ${made}`,
    ],
    [
      6_000,
      sql`stored_payment_methods (id, user_id, provider, provider_method_id, is_active, created_at)
        select ${id('method', n)}, ${id('user', sql`1 + n % 5000`)}, 'test', 'many-' || n, true, ${made}`,
    ],
    [
      6_000,
      sql`wallet_subscriptions (id, user_id, wallet_id, plan_slug, provider, provider_subscription_id, status,
          paid_through, period_ends_at, top_up_coin_amount, created_at, read_at, read_due_at)
        select ${id('subscription', n)}, ${id('user', sql`1 + n % 5000`)}, ${id('wallet', sql`1 + n % 5000`)}, 'standard', 'test', 'many-' || n, 'active',
          ${later}, ${later}, 1900, ${made}, ${made}, ${later}`,
    ],
    [
      6_000,
      sql`payments (id, user_id, provider, provider_payment_id, checkout_session_id, wallet_transaction_id, amount_cents,
          tax_cents, currency, coin_amount, paid_at, receipt_number, state, refunded_cents)
        select ${id('payment', n)}, ${user}, 'test', 'many-' || n, ${id('checkout', n)}, ${id('grant', n)}, 2000, 0, 'usd', 2000, ${made}, 'many-' || n, 'paid', 0`,
    ],
    [
      10_000,
      sql`payment_events (provider, event_id, type, occurred_at, received_at, settled_at)
        select 'test', 'many-' || n, 'invoice.paid', ${made}, ${made}, ${made}`,
    ],
    [
      4_000,
      sql`referral_codes (id, user_id, code, created_at)
        select ${id('code', n)}, ${id('user', n)}, 'MANY' || n, ${made}`,
    ],
    [
      4_000,
      sql`referral_redemptions (id, code_id, referee_user_id, referee_mailbox_hash, claimed_at)
        select ${id('redemption', n)}, ${id('code', n)}, ${id('user', sql`n + 1`)}, 'many-' || n, ${made}`,
    ],
    [
      6_000,
      sql`test_payments (id, intent_key, state, due_at) select 'many-' || n, 'many-' || n, '{}', ${later}`,
    ],
    [
      6_000,
      sql`test_notices (id, type, object_kind, object_id, occurred_at, due_at, copies)
        select 'many-' || n, 'invoice.paid', 'session', 'many-' || n, ${made}, ${later}, 1`,
    ],
  ] as const satisfies readonly (readonly [number, SQL])[]
  const db = openDb({ ...connection, user: CLUSTER_OWNER }, { onError: () => undefined })
  try {
    await db.transaction(async (db) => {
      await db.execute(sql`set local session_replication_role = replica`)
      for (const [count, insert] of rows)
        await db.execute(
          sql`insert into ${insert} from generate_series(1, ${sql.raw(String(count))}) as n`,
        )
    })
    await db.execute(sql`analyze`)
  } finally {
    await db.$client.end()
  }
}

/** The id of row `n` of a kind. */
export function manyId(kind: string, n: number): string {
  const hex = createHash('md5').update(`${kind}${n}`).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function id(kind: string, n: SQL): SQL {
  return sql`md5(${sql.raw(`'${kind}'`)} || (${n}))::uuid`
}
