import { expect, it } from 'vitest'
import { createFakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { silentLog } from '#src/lib/log.ts'
import { pullUploadFindings } from '#src/local/sync/upload-findings.ts'

const findings = [{ ruleId: 'A12', verdict: 'warn', facts: { width: 320, height: 180 } }] as const

async function pulled(changes: Parameters<typeof fakeUploadRequest>[0]) {
  const api = createFakeApi()
  api.routes.set(`GET /v1/upload-requests/${idOf(2)}`, () =>
    Response.json({ uploadRequest: fakeUploadRequest({ _id: idOf(2), ...changes }) }),
  )
  const db = await openTestDb()
  const row = fakeUploadRow({ uploadRequestId: idOf(2) })
  await db.uploads.add(row)
  const answer = await pullUploadFindings(
    {
      api: api.client,
      db,
      deviceDb: await openTestDeviceDb(),
      clock: createFakeClock(),
      random: () => 0,
      fetch: api.fetch,
      origin: 'http://onecut.test',
      log: silentLog,
    },
    idOf(2),
  )
  return { answer, before: row, after: await db.uploads.get(row.id) }
}

it('UPL-12 keeps what the server found in the row of the upload, and changes nothing else of it', async () => {
  const { answer, before, after } = await pulled({
    state: 'validated',
    findings: findings.map((each) => ({ ...each, facts: { ...each.facts } })),
  })
  expect(answer).toEqual({ ok: true, value: null })
  expect(after).toEqual({ ...before, arrivalFindings: findings })
})

it('UPL-12 keeps nothing while the server has not looked', async () => {
  const { before, after } = await pulled({ state: 'completed', findings: null })
  expect(after).toEqual(before)
})
