import { expect, it } from 'vitest'
import { createFollowUp } from '#src/lib/serial.ts'

it('SAF-06 what comes during a run is done by a run of its own, which all that wait for it share', async () => {
  const begun: PromiseWithResolvers<string>[] = []
  const carryOn = createFollowUp(() => {
    const run = Promise.withResolvers<string>()
    begun.push(run)
    return run.promise
  })
  const first = carryOn()
  await settled()
  const later = [carryOn(), carryOn()]
  await settled()
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('the network is gone'))
  await expect(first).rejects.toThrow('the network is gone')
  await settled()
  expect(begun).toHaveLength(2)
  begun[1]?.resolve('the second')
  expect(await Promise.all(later)).toEqual(['the second', 'the second'])
})

/** Everything that is due has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
