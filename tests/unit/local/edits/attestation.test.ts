import { expect, it } from 'vitest'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { keepAttestation, readAttestation } from '#src/local/edits/attestation.ts'

it('NOW-06 what was confirmed before an edit of the device is found for the first order of its video', async () => {
  const db = await openTestDb()
  const order = { uploadRequestId: idOf(2), uploadId: null }
  await db.uploads.put(fakeUploadRow({ uploadRequestId: idOf(2) }))
  expect(await readAttestation(db, order)).toBe('none')
  await keepAttestation(db, 'local-upload', 1)
  expect(await readAttestation(db, order)).toBe('kept')
  const draft = { uploadRequestId: null, uploadId: 'local-upload' }
  expect(await readAttestation(db, draft)).toBe('kept')
  await db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ attestedAt: '2026-11-21T09:30:00.000Z' }), 1))
  expect(await readAttestation(db, order)).toBe('sent')
})

it('NOW-06 a text that has changed since is confirmed again', async () => {
  const db = await openTestDb()
  const row = { key: 'attestation:local-upload', value: '2020-01-01', updatedAtEpochMs: 1 }
  await db.drafts.put(row)
  const asked = { uploadRequestId: null, uploadId: 'local-upload' }
  expect(await readAttestation(db, asked)).toBe('none')
})
