import { expect, it } from 'vitest'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import { goingFor, largestLimit, limitOf, roomFor } from '#src/local/kept/room.ts'

const MB = 1_000_000
const PLENTY = { quota: 100_000 * MB, usage: 0 }

it('PHO-04: the limit is 2 GB until another one is chosen, and at most half of what the browser gives', () => {
  expect(limitOf(null, PLENTY)).toBe(2_000 * MB)
  expect(limitOf({ limitBytes: 5_000 * MB }, PLENTY)).toBe(5_000 * MB)
  expect(limitOf({ limitBytes: 5_000 * MB }, { quota: 1_000 * MB })).toBe(500 * MB)
  expect(limitOf(null, {})).toBe(2_000 * MB)
  expect(largestLimit({})).toBeNull()
})

it('PHO-04: a file fits below the limit, or the files opened longest ago would have to go', () => {
  const files = [file('new', 500, 9), file('old', 900, 1), file('older', 100, 0)]
  expect(roomFor({ files, limitBytes: 2_000 * MB, estimate: PLENTY }, 500 * MB).kind).toBe('fits')
  expect(
    namesGoing(roomFor({ files, limitBytes: 2_000 * MB, estimate: PLENTY }, 501 * MB)),
  ).toEqual(['older'])
  expect(
    namesGoing(roomFor({ files, limitBytes: 2_000 * MB, estimate: PLENTY }, 700 * MB)),
  ).toEqual(['older', 'old'])
  expect(roomFor({ files, limitBytes: 2_000 * MB, estimate: PLENTY }, 2_001 * MB)).toEqual({
    kind: 'over-limit',
    limitBytes: 2_000 * MB,
  })
})

it('PHO-04: 500 MB of the device stay free, and what is still to come counts', () => {
  const estimate = { quota: 2_000 * MB, usage: 1_000 * MB }
  const room = { files: [], limitBytes: 9_000 * MB, estimate }
  expect(roomFor(room, 500 * MB).kind).toBe('fits')
  expect(roomFor(room, 501 * MB).kind).toBe('device-full')
  // One byte of it is here and counted as used.
  expect(roomFor(room, 501 * MB, MB).kind).toBe('fits')
  const coming = { ...file('coming', 300, 5), state: 'getting' as const, gotBytes: 100 * MB }
  expect(roomFor({ ...room, files: [coming] }, 301 * MB).kind).toBe('device-full')
  expect(roomFor({ ...room, files: [coming] }, 300 * MB).kind).toBe('fits')
  // Only what is here makes room.
  expect(namesGoing(roomFor({ ...room, files: [coming, file('old', 50, 1)] }, 301 * MB))).toEqual([
    'old',
  ])
})

it('PHO-04: a lower limit names what would have to go, and failed files take nothing', () => {
  const files = [
    file('one', 300, 1),
    file('two', 300, 2),
    { ...file('lost', 900, 0), state: 'failed' as const },
  ]
  expect(goingFor(files, 600 * MB)).toBeNull()
  expect(goingFor(files, 599 * MB)?.map(({ fileName }) => fileName)).toEqual(['one'])
})

function namesGoing(room: ReturnType<typeof roomFor>): readonly string[] {
  return room.kind === 'remove' ? room.files.map(({ fileName }) => fileName) : []
}

function file(fileName: string, megabytes: number, lastOpenedAtEpochMs: number): KeptFileRow {
  return {
    outputId: fileName,
    taskId: 'task',
    mediaJobId: 'job',
    fileName,
    contentType: 'video/mp4',
    sizeBytes: megabytes * MB,
    state: 'kept',
    gotBytes: megabytes * MB,
    queuedAtEpochMs: 0,
    lastOpenedAtEpochMs,
  }
}
