import { expect, it } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import {
  answerXsrf,
  xsrfFromChannel,
  xsrfFromCookies,
  xsrfFromCookieStore,
} from '#src/local/session/xsrf.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

it('APP-17 page, service worker and dedicated worker all find the anti-forgery value', async () => {
  const openPort = createFakeChannelPorts()
  const page = createChannel({ port: openPort(), log: silentLog })
  const worker = createChannel({ port: openPort(), log: silentLog })
  const fromPage = xsrfFromCookies(() => 'XSRF-TOKEN=abc')
  answerXsrf(page, fromPage)
  expect(await fromPage()).toBe('abc')
  expect(
    await xsrfFromChannel({ channel: worker, ids: createIds(), clock: createFakeClock() })(),
  ).toBe('abc')
  expect(
    await xsrfFromCookieStore({ get: (name) => Promise.resolve({ value: `${name}!` }) })(),
  ).toBe('XSRF-TOKEN!')
})

it('a worker without any page gets no value after 3 s', async () => {
  const clock = createFakeClock()
  const asked = xsrfFromChannel({
    channel: createChannel({ port: createFakeChannelPorts()(), log: silentLog }),
    ids: createIds(),
    clock,
  })()
  await clock.advance(3000)
  expect(await asked).toBeNull()
})
