import { expect, test } from 'vitest'
import { createProgressPace } from '#src/hooks/uploads/progress-pace.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'

/** A page on which a person did something last at `touchedAtMs`; reports come every 250 ms. */
function pageAt({ isVisible = true, touchedAtMs = 0 }) {
  let nowMs = 100_000
  const isDrawn = createProgressPace({
    now: () => nowMs,
    isVisible: () => isVisible,
    touchedAtMs: () => touchedAtMs,
  })
  return {
    isDrawn,
    after: (ms: number) => {
      nowMs += ms
    },
    /** How many of the reports of so many seconds are drawn. */
    drawnIn: (seconds: number) => {
      let drawn = 0
      for (let step = 0; step < seconds * 4; step += 1, nowMs += 250)
        if (isDrawn(report())) drawn += 1
      return drawn
    },
  }
}

function report(change: Partial<UploadProgress> = {}): UploadProgress {
  return {
    uploadId: 'one',
    safeBytes: 0,
    inFlightBytes: 0,
    bytesPerSecond: 0,
    secondsLeft: null,
    quietForMs: 0,
    pause: null,
    isUnsaved: false,
    ...change,
  }
}

test('every report is drawn while a person is at the page', () => {
  expect(pageAt({ touchedAtMs: 99_000 }).drawnIn(5)).toBe(20)
})

test('one report a second is drawn in a tab that is idle or hidden', () => {
  expect(pageAt({}).drawnIn(5)).toBe(5)
  expect(pageAt({ isVisible: false, touchedAtMs: 99_000 }).drawnIn(5)).toBe(5)
})

test('a pause, its end, and a word on what is stored are drawn at once, each upload for itself', () => {
  const { isDrawn, after } = pageAt({})
  expect(isDrawn(report())).toBe(true)
  after(10)
  const pause = { reason: 'network', retryAtEpochMs: 0, attempt: 1 } as const
  expect(isDrawn(report({ pause }))).toBe(true)
  expect(isDrawn(report({ pause: { ...pause, attempt: 2 } }))).toBe(false)
  expect(isDrawn(report())).toBe(true)
  expect(isDrawn(report({ isUnsaved: true }))).toBe(true)
  expect(isDrawn(report({ uploadId: 'two' }))).toBe(true)
})

test('a clock that is set back holds nothing up', () => {
  const { isDrawn, after } = pageAt({})
  isDrawn(report())
  after(-50_000)
  expect(isDrawn(report())).toBe(true)
})
