import { beforeEach, describe, expect, it } from 'vitest'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, fakeOrder } from '#tests/fakes/fake-rows.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { readEditsToBeginWith, saveSelection } from '#src/local/edits/selections.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'

const job = fakeMediaJob()
const ordered: readonly TaskRequest[] = job.mediaJobTaskRequests
let db: AccountDb

beforeEach(async () => {
  db = await openTestDb()
})

const begun = (): Promise<readonly TaskRequest[]> => readEditsToBeginWith(db, job.uploadRequestId)

describe('the form of a video', () => {
  it('begins empty, and with what was chosen once something was, even nothing', async () => {
    expect(await begun()).toEqual([])
    await db.mediaJobs.put(mediaJobToRow(job, 1))
    await saveSelection(db, job.uploadRequestId, [{ mediaJobTaskPresetSlug: 'still-pack' }], 1)
    expect(await begun()).toEqual([{ mediaJobTaskPresetSlug: 'still-pack' }])
    await saveSelection(db, job.uploadRequestId, [], 2)
    expect(await begun()).toEqual([])
  })

  it.each([
    ['that was not ordered yet', {}, null, ordered],
    ['whose order is not paid', { orderIsPlaced: true }, fakeOrder(), ordered],
    [
      'whose order was cancelled',
      {},
      fakeOrder({ status: 'canceled', isFullyPaid: true }),
      ordered,
    ],
    ['that was paid', { orderIsPlaced: true }, fakeOrder({ isFullyPaid: true }), []],
    [
      'of which a part was paid',
      { orderIsPlaced: true },
      fakeOrder({ hasPaidWalletCoinTransactions: true }),
      [],
    ],
    ['that was paid, though the job was pulled before', {}, fakeOrder({ isFullyPaid: true }), []],
    ['whose order this device does not know', { orderIsPlaced: true }, null, []],
    [
      'whose work has begun',
      { orderIsPlaced: true, isMediaWorkflowStarted: true },
      fakeOrder({ isFullyPaid: true }),
      [],
    ],
  ])(
    'begins with the edits of a job only while they are not paid: one %s',
    async (_, changes, order, edits) => {
      await db.mediaJobs.put(mediaJobToRow({ ...job, ...changes }, 1))
      if (order !== null) await db.orders.put(orderToRow(order, 1))
      expect(await begun()).toEqual(edits)
    },
  )
})
