import { Agent, get } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen, type Listener } from '#server/http/listen.ts'

let listener: Listener
const agent = new Agent({ keepAlive: true })
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
})
afterEach(async () => {
  await listener.close(AbortSignal.abort())
  agent.destroy()
})

/** An app whose answer waits until the test lets it go. */
function slowApp() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: letGo, resolve: finish } = Promise.withResolvers<void>()
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/slow', async (c) => {
    begin()
    await letGo
    return c.text('done')
  })
  app.get('/quick', (c) => c.text('done'))
  return { app, begun, finish }
}

interface Got {
  readonly status: number | undefined
  readonly connection: string | undefined
}
function ask(path: string): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  get({ host: '127.0.0.1', port: listener.port, path, agent }, (answer) => {
    answer.resume()
    answer.once('end', () =>
      resolve({ status: answer.statusCode, connection: answer.headers.connection }),
    )
  }).once('error', reject)
  return promise
}

it('SCL-05 refuses every call with 503 until it serves, and says at any time that it turns', async () => {
  expect((await ask('/quick')).status).toBe(503)
  expect((await ask('/livez')).status).toBe(200)
  listener.serve(slowApp().app)
  expect(await ask('/quick')).toEqual({ status: 200, connection: 'keep-alive' })
})

it('SAF-09 a stop lets running calls end, asks kept connections to close and then refuses new ones', async () => {
  const { app, begun, finish } = slowApp()
  listener.serve(app)
  const slow = ask('/slow')
  await begun
  // A connection that is kept and not in use.
  expect((await ask('/quick')).connection).toBe('keep-alive')
  const closed = listener.close()
  expect(listener.isStopping()).toBe(true)
  await expect.poll(() => ask('/quick').catch((error: Error) => error)).toBeInstanceOf(Error)
  finish()
  expect(await slow).toEqual({ status: 200, connection: 'close' })
  await closed
})

it('SAF-09 while a balancer that watches is not told, calls are answered as before', async () => {
  listener.serve(slowApp().app)
  expect((await ask('/editors/ready')).status).toBe(200)
  const closed = listener.close()
  expect(await ask('/editors/ready')).toEqual({ status: 503, connection: 'close' })
  expect(await ask('/quick')).toEqual({ status: 200, connection: 'close' })
  expect((await ask('/editors/ready')).status).toBe(503)
  expect((await ask('/editors/ready')).status).toBe(503)
  await closed
  await expect(ask('/quick')).rejects.toThrow(/ECONNREFUSED/)
})

it('a hurried stop cuts off what runs', async () => {
  const { app, begun } = slowApp()
  listener.serve(app)
  const slow = ask('/slow')
  await begun
  const hurry = new AbortController()
  const closed = listener.close(hurry.signal)
  hurry.abort()
  await expect(slow).rejects.toThrow()
  await closed
})

it('a connection that never says anything does not hold up a stop', async () => {
  listener.serve(slowApp().app)
  const silent = connect(listener.port, '127.0.0.1')
  await once(silent, 'connect')
  const [, [hadError]] = await Promise.all([listener.close(), once(silent, 'close')])
  expect(hadError).toBe(false)
})
