import { chmod, chown, lchown, lstat, readdir, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder that belongs to a media tool while it runs. */
interface Loan {
  /**
   * Makes the folder the server's again and removes from it what is no plain file: a tool that was
   * taken over could leave a link in the place of its result, which the server would follow. What a
   * tool left running finds the folder closed.
   */
  takeBack(): Promise<void>
}

/**
 * Gives a folder and its files to the user of media tools; null, when that is the server's own. One
 * run at a time may have a folder.
 */
export async function lendFolder(folder: string, uid: number | null): Promise<Loan> {
  const before = await special(folder)
  if (uid !== null) {
    await hand(folder, uid, uid)
    // The group is the server's: bubblewrap enters the folder as root, without root's rights.
    await chmod(folder, 0o710)
    await chown(folder, uid, process.getgid?.() ?? 0)
  }
  return {
    async takeBack() {
      const [own, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
      if (uid !== null) await chown(folder, own, group)
      for (const [name, kind] of await special(folder))
        if (before.get(name) !== kind) await rm(join(folder, name), { recursive: true })
      if (uid !== null) await hand(folder, own, group)
    },
  }
}

async function hand(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) await lchown(join(folder, entry.name), uid, gid)
}

/** What is no plain file, by name: the target of a link, or which folder or device it is. */
async function special(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile()) continue
    const path = join(folder, entry.name)
    const { ino } = await lstat(path)
    found.set(entry.name, entry.isSymbolicLink() ? await readlink(path) : `inode ${ino}`)
  }
  return found
}
