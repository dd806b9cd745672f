import { expect, it } from 'vitest'
import { crashDetails } from '#src/app/screens/crash-details.ts'

it('APP-04 the copied details name the error, the page and the time, whatever was thrown', () => {
  const at = new Date('2026-11-21T09:00:00Z')
  const details = crashDetails(new TypeError('x is not a function'), '/edits', 'A browser', at)
  expect(details).toContain('TypeError: x is not a function')
  expect(details).toContain('Page: /edits')
  expect(details).toContain('2026-11-21T09:00:00.000Z')
  for (const thrown of [null, undefined, 'text', 42, {}])
    expect(crashDetails(thrown, '/', 'b', at)).toContain('not an error')
})
