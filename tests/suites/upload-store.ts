import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import type { UploadStore } from '#src/local/uploads/ports.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'

/** A store under test, empty at first. */
export interface UploadStoreUnderTest {
  readonly store: UploadStore
  /** The same rows as another tab sees them. */
  readonly otherTab: UploadStore
  /** Writes a row as choosing a file does: the port has no call for it. */
  add(row: UploadRow): Promise<void>
  close(): Promise<void>
}

const ID = 'one'
const PLAN = { partSizeBytes: 4, partCount: 3, sizeBytes: 12 }
const SENDING = fakeUploadRow({ id: ID, plan: PLAN, state: { kind: 'uploading' }, epoch: 1 })

function part(partNumber: number, uploadId = ID): UploadPartRow {
  return {
    uploadId,
    partNumber,
    eTag: `e${partNumber}`,
    sizeBytes: 4,
    sha256: '',
    safeAtEpochMs: 1_000 + partNumber,
  }
}
const byNumber = (parts: readonly UploadPartRow[]): readonly UploadPartRow[] =>
  parts.toSorted((a, b) => a.partNumber - b.partNumber)
const next = (row: UploadRow): UploadRow => ({ ...row, epoch: row.epoch + 1 })

/** What every store of uploads does, in memory and on the device. */
export function describeUploadStore(
  name: string,
  create: () => Promise<UploadStoreUnderTest>,
): void {
  describe(`upload store: ${name}`, () => {
    let under: UploadStoreUnderTest
    let store: UploadStore
    beforeEach(async () => {
      under = await create()
      store = under.store
    })
    afterEach(() => under.close())

    describe('a change of a row', () => {
      it('is read back, and returned', async () => {
        await under.add(SENDING)
        const paused = { kind: 'paused' } as const
        const changed = await store.change(ID, 1, (row) => ({ ...row, state: paused }))
        expect(changed).toEqual({ ...SENDING, state: paused })
        expect(await store.read(ID)).toEqual(changed)
        expect(await store.list()).toEqual([changed])
      })

      it('is null for a row that is not there, and for another epoch, and changes nothing then', async () => {
        expect(await store.change(ID, null, next)).toBeNull()
        expect(await store.read(ID)).toBeNull()
        await under.add(SENDING)
        expect(await store.change(ID, 0, next)).toBeNull()
        expect(await store.change(ID, 2, next)).toBeNull()
        expect(await store.read(ID)).toEqual(SENDING)
      })

      it('writes nothing when the row stays the same object', async () => {
        await under.add(SENDING)
        await store.putPart(1, part(1), null)
        expect(await store.change(ID, null, (row) => row)).toMatchObject({ safeBytes: 4 })
        expect(await store.read(ID)).toEqual(SENDING)
      })

      it('rejects and writes nothing when it throws', async () => {
        await under.add(SENDING)
        const thrown = store.change(ID, 1, () => {
          throw new RangeError('a bug')
        })
        await expect(thrown).rejects.toMatchObject({ name: 'RangeError' })
        expect(await store.read(ID)).toEqual(SENDING)
      })

      it('is one transaction: of changes at the same time none is lost', async () => {
        await under.add(SENDING)
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? store : under.otherTab).change(ID, null, next),
          ),
        )
        expect(await store.read(ID)).toMatchObject({ epoch: 11 })
      })

      it('counts all safe parts when it has no epoch, and none without a plan', async () => {
        await under.add({ ...SENDING, safeBytes: 4 })
        await store.putPart(1, part(1), null)
        await store.putPart(1, part(2), null)
        expect(await store.change(ID, 1, next)).toMatchObject({ epoch: 2, safeBytes: 4 })
        expect(await store.change(ID, null, next)).toMatchObject({ epoch: 3, safeBytes: 8 })
        await under.add(fakeUploadRow({ id: 'two', plan: null, safeBytes: 0 }))
        expect(await store.change('two', null, next)).toMatchObject({ safeBytes: 0 })
      })

      it('that drops the plan drops the parts, of this upload alone', async () => {
        await under.add(SENDING)
        await under.add({ ...SENDING, id: 'two' })
        await store.putPart(1, part(1), 4)
        await store.putPart(1, part(1, 'two'), 4)
        await store.change(ID, 1, (row) => ({ ...row, plan: null, safeBytes: 0 }))
        expect(await store.parts(ID)).toEqual([])
        expect(await store.parts('two')).toEqual([part(1, 'two')])
      })
    })

    describe('safe parts', () => {
      it('are kept by number, and raise the safe bytes if a sum is given', async () => {
        await under.add(SENDING)
        expect(await store.putPart(1, part(2), null)).toEqual(SENDING)
        expect(await store.putPart(1, part(1), 8)).toEqual({
          ...SENDING,
          safeBytes: 8,
          updatedAtEpochMs: part(1).safeAtEpochMs,
        })
        await store.putPart(1, { ...part(1), eTag: 'again' }, 8)
        expect(byNumber(await store.parts(ID))).toEqual([{ ...part(1), eTag: 'again' }, part(2)])
      })

      it('lower the safe bytes only when the list of the server says so', async () => {
        await under.add({ ...SENDING, safeBytes: 8 })
        expect(await store.putPart(1, part(1), 4)).toMatchObject({ safeBytes: 8 })
        expect(await store.replaceParts(ID, 1, [part(3)])).toMatchObject({ safeBytes: 4 })
        expect(await store.parts(ID)).toEqual([part(3)])
      })

      it('are exactly those of the server after its list won', async () => {
        await under.add(SENDING)
        await store.putPart(1, part(1), 4)
        expect(await store.replaceParts(ID, 1, [part(2), part(3)])).toMatchObject({ safeBytes: 8 })
        expect(byNumber(await store.parts(ID))).toEqual([part(2), part(3)])
      })

      it('are refused with another epoch, or without a row', async () => {
        expect(await store.putPart(1, part(1), 4)).toBeNull()
        expect(await store.replaceParts(ID, 1, [part(1)])).toBeNull()
        await under.add(SENDING)
        expect(await store.putPart(0, part(1), 4)).toBeNull()
        expect(await store.replaceParts(ID, 2, [part(1)])).toBeNull()
        expect(await store.parts(ID)).toEqual([])
        expect(await store.read(ID)).toEqual(SENDING)
      })
    })

    it('drops the parts of a finished upload and keeps its row', async () => {
      await under.add(SENDING)
      await store.putPart(1, part(1), 4)
      await store.dropBytes(ID)
      await store.dropBytes(ID)
      expect(await store.parts(ID)).toEqual([])
      expect(await store.read(ID)).toMatchObject({ id: ID, safeBytes: 4 })
    })

    it('removes an upload with its parts, also twice', async () => {
      await under.add(SENDING)
      await store.putPart(1, part(1), 4)
      await store.remove(ID)
      await store.remove(ID)
      expect(await store.read(ID)).toBeNull()
      expect(await store.list()).toEqual([])
      expect(await store.parts(ID)).toEqual([])
    })

    describe('a watch', () => {
      it('calls with the current row, never before it returns, and null for none', async () => {
        const seen: (UploadRow | null)[] = []
        const stop = store.watch(ID, (row) => void seen.push(row))
        expect(seen).toEqual([])
        await expect.poll(() => seen.at(-1), { interval: 1 }).toBeNull()
        stop()
      })

      it('calls at each change, also of another tab, until it is stopped', async () => {
        await under.add(SENDING)
        let last: UploadRow | null | undefined
        const stop = store.watch(ID, (row) => {
          last = row
        })
        await expect.poll(() => last, { interval: 1 }).toEqual(SENDING)
        await under.otherTab.change(ID, 1, next)
        await expect.poll(() => last, { interval: 1 }).toMatchObject({ epoch: 2 })
        await store.putPart(2, part(1), 4)
        await expect.poll(() => last, { interval: 1 }).toMatchObject({ safeBytes: 4 })
        await store.remove(ID)
        await expect.poll(() => last, { interval: 1 }).toBeNull()
        stop()
        stop()
        await under.add(SENDING)
        // A second watch that has seen the row: the stopped one would have been called by now.
        let other: UploadRow | null | undefined
        const stopOther = store.watch(ID, (row) => {
          other = row
        })
        await expect.poll(() => other, { interval: 1 }).toEqual(SENDING)
        stopOther()
        expect(last).toBeNull()
      })

      it('of all uploads calls with their ids', async () => {
        let ids: readonly string[] | undefined
        const stop = store.watchAll((now) => {
          ids = now.toSorted()
        })
        await expect.poll(() => ids, { interval: 1 }).toEqual([])
        await under.add(SENDING)
        await under.add({ ...SENDING, id: 'two' })
        await expect.poll(() => ids, { interval: 1 }).toEqual([ID, 'two'])
        await under.otherTab.remove(ID)
        await expect.poll(() => ids, { interval: 1 }).toEqual(['two'])
        stop()
      })
    })
  })
}
