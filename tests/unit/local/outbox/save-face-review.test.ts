import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeFaceReview, idOf } from '#tests/fakes/fake-rows.ts'
import type { FaceDecisions } from '#src/local/db/rows.ts'
import { enqueueFaceDecisions, insistOnFaceDecisions } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

const NONE: FaceDecisions = { uncovered: [], added: [], wholly: [] }
const taskId = idOf(70)

/** A server that keeps one review by the rules of the contract. */
async function createWorld() {
  const api = createFakeApi()
  const db = await openTestDb()
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const stored = { revision: 0, decisions: NONE }
  const answer = () => Response.json({ faceReview: fakeFaceReview({ ...stored, taskId }) })
  api.routes.set(`GET /v1/media-job-tasks/${taskId}/faces`, answer)
  api.routes.set(`PUT /v1/media-job-tasks/${taskId}/faces`, async (request) => {
    const { faceReview } = (await request.json()) as {
      faceReview: { basedOn: number; decisions: FaceDecisions }
    }
    if (faceReview.basedOn !== stored.revision)
      return problem(409, 'face-reviews/changed', 'It was changed.')
    stored.revision += 1
    stored.decisions = faceReview.decisions
    return answer()
  })
  const deps = {
    api: api.client,
    db,
    clock,
    ids: createIds(),
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => true,
  }
  const decide = (uncovered: string[]) =>
    enqueueFaceDecisions(deps, { taskId, basedOn: 0, decisions: { ...NONE, uncovered } })
  return { api, db, deps, stored, decide }
}

it('REC-18 decisions reach the server once, also when a person goes on after a lost answer', async () => {
  const { api, db, deps, stored, decide } = await createWorld()
  await decide(['t1'])
  await decide(['t1', 't2'])
  expect(await db.outbox.count()).toBe(1)
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  expect(stored.decisions.uncovered).toEqual(['t1', 't2'])
  await decide(['t2'])
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(stored).toEqual({ revision: 2, decisions: { ...NONE, uncovered: ['t2'] } })
  expect(await db.outbox.count()).toBe(0)
  expect((await db.faceReviews.get(taskId))?.value.revision).toBe(2)
})

it('REC-18 decisions of two devices do not overwrite each other: the person chooses', async () => {
  const { db, deps, stored, decide } = await createWorld()
  await decide(['t1'])
  Object.assign(stored, { revision: 1, decisions: { ...NONE, uncovered: ['t3'] } })
  await drainOutbox(deps)
  const [row] = await db.outbox.toArray()
  expect(row?.state).toMatchObject({ kind: 'refused', code: 'face-reviews/changed' })
  expect(stored.decisions.uncovered).toEqual(['t3'])
  expect((await db.faceReviews.get(taskId))?.value.decisions.uncovered).toEqual(['t3'])
  const decisions = { ...NONE, uncovered: ['t1'] }
  await insistOnFaceDecisions(db, { taskId, basedOn: 1, decisions })
  await drainOutbox(deps)
  expect(stored).toEqual({ revision: 2, decisions })
})
