import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeBug, withoutUserData } from '#src/lib/describe-bug.ts'

function thrownWith(facts: Record<string, unknown>): Error {
  return Object.assign(new Error('secret'), facts)
}

it('locates an error by file, line and column in the form of every browser', () => {
  const v8 = thrownWith({
    stack: `Error: secret
    at async payOrder (https://app.example/assets/pay-1a2b.js?v=token:10:20)
    at new Engine (https://app.example/assets/index-9f.js:3:4)
    at Object.run [as start] (blob:https://app.example/6f1d:1:2)
    at https://app.example/src/hooks/use-live.ts?t=99:7:8`,
  })
  expect(describeBug(v8)).toMatchObject({
    place: 'payOrder assets/pay-1a2b.js:10:20',
    stack:
      'payOrder assets/pay-1a2b.js:10:20 < Engine assets/index-9f.js:3:4 < (page):1:2 < src/hooks/use-live.ts:7:8',
  })
  const gecko = thrownWith({
    stack: 'payOrder@https://app.example/assets/pay-1a2b.js:10:20\n@https://app.example/x.js:1:2\n',
  })
  expect(describeBug(gecko).stack).toBe('payOrder assets/pay-1a2b.js:10:20 < x.js:1:2')
})

it('locates an error that is really thrown here', () => {
  expect(describeBug(new TypeError('x')).place).toMatch(/describe-bug\.test\.ts:\d+:\d+$/)
})

it('names class, code and cause, and has no facts about values that are not errors', () => {
  const thrown = thrownWith({ name: 'UploadFailed', code: 'upload/no-space' })
  thrown.cause = new DOMException('C:\\Users\\jane', 'QuotaExceededError')
  expect(describeBug(thrown)).toMatchObject({
    name: 'UploadFailed',
    code: 'upload/no-space',
    message: null,
    cause: 'QuotaExceededError',
  })
  expect(describeBug(thrownWith({ code: 'ENOSPC' })).code).toBe('ENOSPC')
  for (const value of [null, undefined, 'jane@example.org', 42, {}, () => undefined])
    expect(describeBug(value)).toEqual({
      name: 'unknown',
      code: null,
      message: null,
      cause: null,
      place: null,
      stack: null,
    })
})

it.each([
  ['x is not a function', true],
  ["Cannot read properties of undefined (reading 'file')", true],
  ["undefined is not an object (evaluating 'a.b')", true],
  ['can\'t access property "b", a.c is undefined', true],
  ['upload/no-space', true],
  ['Failed to open My holiday.mp4', false],
  ["Cannot create property 'x' on string 'jane@example.org'", false],
  ['Unexpected token j in JSON at position 0', false],
])('keeps the message %j: %s', (message, isKept) => {
  expect(describeBug(new TypeError(message)).message).toBe(isKept ? message : null)
})

it('never carries a message, a mail address, a file name, a token or a query', () => {
  const secrets = [
    'jane.doe@example.org',
    'My holiday video.mp4',
    'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiamFuZSJ9.c2lnbmF0dXJlLXZhbHVl',
    'https://store.example/part/1?X-Amz-Signature=deadbeef',
    'blob:https://app.example/6f1d0e7a',
  ]
  const anywhere = fc.record({
    secret: fc.constantFrom(...secrets),
    before: fc.string(),
    after: fc.string(),
    where: fc.constantFrom('message', 'name', 'code', 'stack', 'frame', 'cause'),
  })
  fc.assert(
    fc.property(anywhere, ({ secret, before, after, where }) => {
      const spoilt = `${before}${secret}${after}`
      const thrown = thrownWith(
        where === 'frame'
          ? {
              stack: `Error: ${spoilt}\n    at run (${spoilt}:1:2)\n    at ok (https://a/b.js:1:2)`,
            }
          : { [where]: where === 'cause' ? { name: spoilt } : spoilt },
      )
      expect(JSON.stringify(describeBug(thrown))).not.toContain(secret)
    }),
  )
})

it('takes personal texts out of a line, and leaves places in the code', () => {
  expect(withoutUserData('read My holiday video.mp4: failed')).toBe('(file): failed')
  expect(withoutUserData('mail to jane.doe@example.org')).toBe('mail to (mail)')
  expect(withoutUserData('GET https://store.example/part/1?sig=deadbeef')).toBe('GET (host)/part/1')
  expect(withoutUserData('src blob:https://app.example/6f1d')).toBe('src (address)')
  expect(withoutUserData('eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiamFuZSJ9.c2lnbmF0dXJl')).toBe('(token)')
  const place = 'payOrder local/calls/pay-order.ts:10:20 < run assets/index-9f.js:3:4'
  expect(withoutUserData(place)).toBe(place)
})

it('survives an object whose properties throw', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
    },
  )
  expect(describeBug(hostile).name).toBe('unknown')
})
