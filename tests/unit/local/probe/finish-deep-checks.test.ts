import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import type { DeepFacts } from '#checks/facts.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err } from '#src/lib/result.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { finishDeepChecks } from '#src/local/probe/finish-deep-checks.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

let db: AccountDb
beforeEach(async () => {
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(async () => {
  await db.delete()
})

const REPORT: ProbeReport = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 5,
  durationMs: 60_000,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [],
  tookMs: 3,
}

async function add(id: string, row: Partial<UploadRow>, hasCopy = true): Promise<void> {
  await db.uploads.add({
    id,
    uploadRequestId: null,
    idempotencyKey: id,
    purpose: 'media-job',
    file: { name: `${id}.mp4`, sizeBytes: 5, lastModifiedEpochMs: 1, type: 'video/mp4' },
    state: { kind: 'uploading' },
    epoch: 1,
    plan: null,
    safeBytes: 0,
    probe: REPORT,
    fingerprint: { head: 'a', tail: 'b' },
    createdAtEpochMs: 1,
    updatedAtEpochMs: 1,
    ...row,
  })
  if (hasCopy) await db.blobs.add({ uploadId: id, blob: new File(['video'], `${id}.mp4`) })
}

it('repeats the deep checks that a reload cut short, newest first, where the bytes are still there and no other tab checks them', async () => {
  await add('old', { createdAtEpochMs: 1 })
  await add('new', { createdAtEpochMs: 2 })
  await add('watched', {})
  await add('no-bytes', {}, false)
  await add('looked', { probe: { ...REPORT, deep: {} as DeepFacts } })
  await add('done', { state: { kind: 'done', doneAtEpochMs: 1 } })
  await add('unchecked', { probe: null })
  const looked: string[] = []
  await finishDeepChecks({
    db,
    deviceDb: await openTestDeviceDb(),
    ids: createIds(),
    clock: { now: () => 7 },
    log: silentLog,
    locks: {
      ifFree: async (name, work) => {
        if (name === 'upload-look:watched') return false
        await work()
        return true
      },
    },
    open: (row) => openUpload(db, row, null),
    media: {
      deepCheck: async (file) => {
        looked.push(file.name)
        return err({ code: 'probe/timeout' })
      },
    },
  })
  expect(looked).toEqual(['new.mp4', 'old.mp4'])
})
