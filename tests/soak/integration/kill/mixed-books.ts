import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { bookErrors } from '#tests/faults/attack/rows.ts'

/**
 * What is wrong in the database, whatever was going on when its server died: with the books
 * (`bookErrors`), an order that is paid twice, or paid without its job or its work, an edit that is
 * booked and has no files, or failed and kept its tokens, a card payment that is booked twice or
 * not at all, a gap in the numbers of receipts.
 */
export async function rowErrors(db: Db): Promise<readonly string[]> {
  const { rows } = await db.execute<{ error: string }>(sql`
    with item as (
      select o.id, o.status, o.media_job_id, o.user_id,
        (select coalesce(sum(l.coin_amount), 0) from order_line_items l where l.order_id = o.id)
          as total,
        (select -coalesce(sum(t.coin_amount), 0) from wallet_transactions t
          where t.order_id = o.id and t.kind = 'order-payment') as paid
      from orders o
    ), task as (
      select t.*, j.workflow_started_at, j.workflow_ended_at, l.coin_amount,
        (select o.status from orders o where o.id = l.order_id) as order_status,
        (select coalesce(sum(w.coin_amount), 0) from wallet_transactions w
          where w.cause = 'task:' || t.id or w.cause like 'task:' || t.id || '#%') as refunded,
        (select count(*) from task_outputs f where f.task_id = t.id) as outputs
      from media_job_tasks t join media_jobs j on j.id = t.media_job_id
        left join order_line_items l on l.task_id = t.id
    )
    select 'order ' || id || ' is paid ' || paid || ' of ' || total as error from item
      where paid > total or (status = 'paid' and paid <> total)
    union all
    select 'order ' || i.id || ' is paid without its job' from item i
      join users u on u.id = i.user_id
      where i.status = 'paid' and u.erased_at is null and not exists (
        select 1 from media_jobs j where j.id = i.media_job_id)
    union all
    select 'job ' || j.id || ' is paid and its work has not begun' from item i
      join media_jobs j on j.id = i.media_job_id
      join upload_requests u on u.id = j.upload_request_id
      where i.status = 'paid' and u.state = 'validated' and j.workflow_started_at is null
    union all
    select 'task ' || id || ' works without a paid order' from task
      where status in ('started', 'succeeded') and order_status is distinct from 'paid'
    union all
    select 'task ' || id || ' succeeded without files' from task
      where status = 'succeeded' and outputs = 0
    union all
    select 'task ' || id || ' has files and is ' || status from task
      where status <> 'succeeded' and outputs > 0
    union all
    select 'task ' || id || ' is ' || status || ' and has ' || refunded || ' back' from task
      where refunded <> case when status = 'failed' or order_status = 'canceled'
        then coalesce(coin_amount, 0) else 0 end
    union all
    select 'job ' || media_job_id || ' has ended and its task is ' || status from task
      where workflow_ended_at is not null and status in ('created', 'started')
    union all
    select 'checkout ' || c.id || ' is booked ' || count(t.id) || ' times' from checkout_sessions c
      left join wallet_transactions t on t.cause = 'checkout:' || c.id
      group by c.id having count(t.id) <> case when c.payment = 'paid' then 1 else 0 end
    union all
    select 'receipts of ' || r.series || ' have gaps' from receipt_counters r
      where r.last <> case r.series
        when 'order' then (select count(*) from orders where receipt_number is not null)
        else (select count(*) from payments) end
  `)
  return [...(await bookErrors(db)), ...rows.map(({ error }) => error)]
}

/** Work that has not come to an end although all people have gone. */
export async function unfinishedWork(db: Db): Promise<readonly string[]> {
  const { rows } = await db.execute<{ error: string }>(sql`
    select 'job ' || id || ' has begun and not ended' as error from media_jobs
      where workflow_started_at is not null and workflow_ended_at is null
    union all
    select 'upload ' || id || ' is not checked' from upload_requests where state = 'completed'
    union all
    select 'checkout ' || id || ' is not settled' from checkout_sessions
      where status = 'complete' and settled_at is null`)
  return rows.map(({ error }) => error)
}

interface UploadRow extends Record<string, unknown> {
  readonly id: string
  readonly state: string
  readonly size_bytes: string
  readonly part_size_bytes: string
  readonly is_removed: boolean
}

/**
 * What the rows name and the store does not have, byte for byte. `isWhole` also reads every part
 * of every upload, and not only those of uploads that are open.
 */
export async function storeErrors(
  db: Db,
  dataDir: string,
  { isWhole }: { readonly isWhole: boolean },
): Promise<readonly string[]> {
  const { rows: uploads } = await db.execute<UploadRow>(sql`
    select id, state, size_bytes, part_size_bytes, source_removed_at is not null as is_removed
    from upload_requests where state <> 'aborted'`)
  const errors: string[] = []
  for (const upload of uploads.filter((each) => !each.is_removed)) {
    const path = await pathOf(dataDir, upload)
    if (path === null)
      errors.push(`the file of the ${upload.state} upload ${upload.id} is not there`)
    else if (isWhole || upload.state === 'open')
      errors.push(...(await partErrors(db, upload, path)))
  }
  const { rows: outputs } = await db.execute<{ object_key: string; size_bytes: string }>(sql`
    select object_key, size_bytes from task_outputs where object_key is not null`)
  for (const { object_key: key, size_bytes: size } of outputs)
    if ((await sizeOf(join(dataDir, 'store/objects', key))) !== Number(size))
      errors.push(`${key} is not there with its ${size} bytes`)
  return errors
}

/** A crash may come between the rename of a complete file and the row that says so. */
async function pathOf(dataDir: string, { id, state, ...row }: UploadRow): Promise<string | null> {
  const object = join(dataDir, 'store/objects/uploads', id)
  const unfinished = join(dataDir, 'store/multipart', id)
  const size = Number(row.size_bytes)
  if ((await sizeOf(object)) === size) return object
  return state === 'open' && (await sizeOf(unfinished)) === size ? unfinished : null
}

async function partErrors(db: Db, upload: UploadRow, path: string): Promise<readonly string[]> {
  const { rows } = await db.execute<{ part_number: number; e_tag: string; size_bytes: string }>(
    sql`select part_number, e_tag, size_bytes from upload_parts
        where upload_request_id = ${upload.id}`,
  )
  await using file = await open(path)
  const errors: string[] = []
  for (const { part_number: number, e_tag: eTag, size_bytes: size } of rows) {
    const bytes = Buffer.alloc(Number(size))
    await file.read(bytes, 0, bytes.length, (number - 1) * Number(upload.part_size_bytes))
    if (createHash('sha256').update(bytes).digest('hex') !== eTag)
      errors.push(`part ${number} of ${upload.id} has other bytes`)
  }
  return errors
}

/** Files of the store that no row names, and what is left in the folder of attempts. */
export async function orphanErrors(db: Db, dataDir: string): Promise<readonly string[]> {
  const { rows } = await db.execute<{ path: string }>(sql`
    select 'objects/uploads/' || id as path from upload_requests
      where state in ('completed', 'validated', 'failed') and source_removed_at is null
    union select 'objects/' || thumbnail_key from upload_requests where thumbnail_key is not null
    union select 'objects/moments/' || id || '.jpg' from upload_requests
      where moment_pictures is not null
    union select 'objects/moments/' || id || '.mp4' from upload_requests
      where moment_video is not null
    union select 'objects/' || object_key from task_outputs where object_key is not null
    union select folder || id from upload_requests,
      unnest(array['multipart/', 'held/', 'objects/uploads/']) as folder where state = 'open'`)
  const named = new Set(rows.map(({ path }) => path))
  const stored = (await filesBelow(join(dataDir, 'store')))
    // Previews of music tracks, which the server knows by their files.
    .filter((path) => !path.startsWith('objects/music/'))
  const scratch = await readdir(join(dataDir, 'scratch')).catch(() => [])
  return [
    ...stored.filter((path) => !named.has(path)).map((path) => `no row names ${path}`),
    ...scratch.map((name) => `scratch has ${name}`),
  ]
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
}

async function sizeOf(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ size }) => size,
    () => null,
  )
}
