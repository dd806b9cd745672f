import { expect, it } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { silentLog } from '#src/lib/log.ts'

it('messages reach the others by type; unknown ones are dropped and logged', () => {
  const openPort = createFakeChannelPorts()
  const warnings: string[] = []
  const received: unknown[] = []
  const here = createChannel({ port: openPort(), log: silentLog })
  const there = createChannel({
    port: openPort(),
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
  })
  const stop = there.on('session-changed', (message) => received.push(message.userId))
  here.on('session-changed', () => received.push('echo'))
  here.send({ v: 1, type: 'session-changed', userId: 'user-1' })
  here.send({ v: 1, type: 'outbox-poke' })
  openPort().postMessage({ v: 2, type: 'from-the-future' })
  stop()
  here.send({ v: 1, type: 'session-changed', userId: null })
  expect(received).toEqual(['user-1'])
  expect(warnings).toEqual(['dropped an unknown message'])
})
