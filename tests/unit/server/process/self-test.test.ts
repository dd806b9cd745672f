import { expect, it } from 'vitest'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { selfTest } from '#server/process/self-test.ts'

const PART = new Headers({ 'access-control-expose-headers': 'ETag' })

/** Runs the self-test against answers to its calls, in order; the last one stays. */
async function run(
  answers: readonly (number | Error)[],
  stopAtWait: number | null = null,
): Promise<{ warnings: number; waitsMs: number[]; ended: unknown }> {
  const wish = new AbortController()
  let warnings = 0
  const waitsMs: number[] = []
  const left = [...answers]
  const log = createLog(() => {
    warnings += 1
  })
  const ended = await selfTest({ settings: readSettings({}), port: 4400, log }, wish.signal, {
    fetch: async (url) => {
      if (String(url).includes('/parts/')) return new Response('', { status: 403, headers: PART })
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? 200
      if (answer instanceof Error) throw answer
      return new Response('{}', { status: answer })
    },
    wait: async (ms) => {
      waitsMs.push(ms)
      if (waitsMs.length === stopAtWait) wish.abort(new Error('stopped'))
      wish.signal.throwIfAborted()
    },
  }).then(
    () => 'announced',
    (error: unknown) => error,
  )
  return { warnings, waitsMs, ended }
}

it('TRU-04 a start under load asks itself again instead of ending', async () => {
  expect(await run([503, 200])).toEqual({ warnings: 1, waitsMs: [500], ended: 'announced' })
  expect(await run([new Error('connect ECONNREFUSED'), 200])).toMatchObject({ ended: 'announced' })
})

it('TRU-04 a server that never reaches itself is announced with warnings', async () => {
  expect(await run([503])).toEqual({
    warnings: 7,
    waitsMs: [500, 1_000, 2_000, 4_000, 8_000, 16_000],
    ended: 'announced',
  })
})

it('TRU-04 a start that is told to stop while it asks itself ends with that reason', async () => {
  expect(await run([503], 2)).toMatchObject({ ended: new Error('stopped') })
})
