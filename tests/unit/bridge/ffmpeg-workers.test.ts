import { expect, it } from 'vitest'
import { createFfmpegWorkers } from '#src/bridge/ffmpeg-workers.ts'

class FakeWorker extends EventTarget {
  readonly got: unknown[] = []
  isEnded = false
  postMessage(message: unknown): void {
    this.got.push(message)
  }
  terminate(): void {
    this.isEnded = true
  }
}

function start() {
  const started: FakeWorker[] = []
  const workers = createFfmpegWorkers(() => {
    const worker: unknown = new FakeWorker()
    started.push(worker as FakeWorker)
    return worker as Worker
  })
  const { port1: port } = new MessageChannel()
  return { workers, started, port }
}

it('gives a worker its port, and says when it is no more: ended, or broken', async () => {
  const { workers, started, port } = start()
  const [ended, broken] = [workers.start('a', port), workers.start('b', port)]
  expect(started[0]?.got).toEqual([port])
  await workers.end('a')
  await ended
  started[1]?.dispatchEvent(new Event('error'))
  await broken
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true])
})

it('ends all when the worker that asked for them is gone, and starts none that it asked for too late', async () => {
  const { workers, started, port } = start()
  const running = workers.start('a', port)
  workers.endAll()
  await running
  await workers.start('late', port)
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true])
})
