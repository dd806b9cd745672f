import { beforeEach, expect, it } from 'vitest'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { readUploadToEdit } from '#src/local/edits/upload-to-edit.ts'
import { enqueueSubmission } from '#src/local/outbox/commands.ts'

let db: AccountDb
beforeEach(async () => {
  db = await openTestDb()
})

const upload = (number: number, changes: Parameters<typeof fakeUploadRow>[0] = {}) =>
  fakeUploadRow({
    id: idOf(100 + number),
    uploadRequestId: idOf(number),
    createdAtEpochMs: number,
    state: { kind: 'paused' },
    ...changes,
  })

it('JOB-02 is the newest video of this device whose edits are still to be sent', async () => {
  expect(await readUploadToEdit(db)).toBeNull()
  await db.uploads.bulkPut([
    upload(1),
    upload(2),
    upload(3, { purpose: 'media-asset' }),
    upload(4, { state: { kind: 'discarded' } }),
    upload(5, { uploadRequestId: null }),
  ])
  expect(await readUploadToEdit(db)).toBe(idOf(2))
  await db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ uploadRequestId: idOf(2) }), 1))
  expect(await readUploadToEdit(db)).toBe(idOf(1))
})

it('JOB-02 stays the same while its order is being made', async () => {
  await db.uploads.bulkPut([upload(1), upload(2)])
  const ids = { uuid: () => idOf(9) }
  await enqueueSubmission(
    { db, ids, clock: { now: () => 1 } },
    {
      uploadId: idOf(102),
      uploadRequestId: idOf(2),
      requests: [],
      attestedVersion: null,
      redoOfTaskId: null,
      selectionKey: null,
    },
  )
  await db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ uploadRequestId: idOf(2) }), 1))
  expect(await readUploadToEdit(db)).toBe(idOf(2))
})
