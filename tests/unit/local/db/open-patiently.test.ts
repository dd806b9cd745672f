import { expect, test } from 'vitest'
import { createSimulatedClock } from '#tests/fakes/upload-clock.ts'
import { saySilence } from '#src/app/shell/say-silence.ts'
import { openPatiently } from '#src/local/db/open-patiently.ts'
import { silentLog } from '#src/lib/log.ts'

const HOUR = 3_600_000

/** A browser that answers each request after so many seconds; null never, an error refuses. */
async function start(answers: readonly (number | null | Error)[]) {
  const clock = createSimulatedClock()
  const startMs = clock.now()
  const ended: number[] = []
  const said: number[] = []
  let asked = 0
  const seconds = (): number => (clock.now() - startMs) / 1_000
  const open = async (): Promise<number> => {
    const request = asked++
    const answer = answers[request] ?? null
    if (answer instanceof Error) throw answer
    if (answer === null) await new Promise(() => undefined)
    else await clock.sleep(answer * 1_000)
    return request
  }
  const opening = openPatiently({ clock, log: silentLog }, open, (late) => ended.push(late))
  let outcome: { readonly atSecond: number; readonly of: number | string } | null = null
  const end = (of: number | string): void => {
    outcome = { atSecond: seconds(), of }
  }
  void saySilence(clock, opening, () => said.push(seconds())).then(end, (thrown: Error) =>
    end(thrown.message),
  )
  await clock.run(HOUR)
  return { outcome, ended, said, asked }
}

test('a browser that answers is asked once, and nothing is said', async () => {
  expect(await start([0.1])).toEqual({
    outcome: { atSecond: 0.1, of: 0 },
    ended: [],
    said: [],
    asked: 1,
  })
})

test('a request without an answer is made again, and the first answer counts', async () => {
  expect(await start([null, null, 0.1])).toMatchObject({
    outcome: { atSecond: 4.1, of: 2 },
    said: [],
    asked: 3,
  })
})

test('a slow answer counts as well, and those that come after it are ended', async () => {
  expect(await start([5, 4, 9])).toMatchObject({
    outcome: { atSecond: 5, of: 0 },
    ended: [1, 2],
    asked: 3,
  })
})

test('a browser that never answers is said to be silent, and one that answers after all goes on', async () => {
  expect(await start([])).toEqual({ outcome: null, ended: [], said: [10], asked: 5 })
  expect(await start([30])).toMatchObject({ outcome: { atSecond: 30, of: 0 }, said: [10] })
})

test('a refusal is no silence', async () => {
  expect(await start([new Error('refused')])).toMatchObject({
    outcome: { atSecond: 0, of: 'refused' },
    said: [],
    asked: 1,
  })
})
