/**
 * Makes every write of this process fail with ENOSPC while the file named by
 * ONECUT_TEST_FULL_DISK_FLAG exists, and `statfs` say that nothing is free. Import it first: the
 * server's own modules then get the changed functions.
 */
import fs, { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const flag = process.env['ONECUT_TEST_FULL_DISK_FLAG']
if (flag !== undefined) {
  const refuse = (): void => {
    if (existsSync(flag))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  await using file = await open('/dev/null')
  const handles = Object.getPrototypeOf(file) as Record<'write' | 'writev', WriteLike>
  for (const name of ['write', 'writev'] as const) {
    const usual = handles[name]
    handles[name] = async function (...given) {
      refuse()
      return usual.apply(this, given)
    }
  }
  const { statfs } = fs.promises
  const emptied = async (...given: Parameters<typeof statfs>) => {
    const found = await statfs(...given)
    return existsSync(flag) ? Object.assign(found, { bavail: 0, bfree: 0 }) : found
  }
  fs.promises.statfs = emptied as typeof statfs
  syncBuiltinESMExports()
}

type WriteLike = (this: unknown, ...given: unknown[]) => Promise<unknown>
