import { expect, it } from 'vitest'
import { ToolFault } from '#server/media/process.ts'
import { failureOfRun } from '#server/operations/processing/rendering/render-outputs.ts'

it('TRU-01 an edit that passed its limits says so and is not tried again; a killed one is', () => {
  expect(failureOfRun({ code: 'media/timeout', detail: '', fault: null })).toMatchObject({
    message: expect.stringContaining('took far more computing'),
    canRetry: false,
  })
  const cannot = 'This edit could not be made from this video.'
  expect(failureOfRun({ code: 'media/failed', detail: 'exit null: ', fault: null })).toMatchObject({
    message: cannot,
    canRetry: true,
  })
  expect(
    failureOfRun({ code: 'media/failed', detail: 'exit 1: Invalid data', fault: null }),
  ).toMatchObject({
    message: cannot,
    canRetry: false,
  })
  const fault = new ToolFault('not-started', '')
  expect(
    failureOfRun({ code: 'media/failed', detail: 'exit 1: bwrap: failed', fault }),
  ).toMatchObject({ message: cannot, canRetry: true })
})
