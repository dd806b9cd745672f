import { statfs } from 'node:fs/promises'

/** What is free on the disk of a folder for this process. Rejects where the folder is not there. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
