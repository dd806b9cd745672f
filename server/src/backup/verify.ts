import { readFile, stat } from 'node:fs/promises'
import { keysOf, listOf, readBackup, readKeptFiles, rowsOf, type BackupFolder } from './folder.ts'
import { factsOf, readWhole } from './kept-files.ts'
import type { Progress } from './back-up.ts'

/** What reading all of a backup came to. */
export interface Verdict {
  readonly count: number
  readonly sizeBytes: number
  /** What is missing or damaged, a sentence each. */
  readonly faults: readonly string[]
}

/**
 * Reads a backup, and compares all of it with its checksums. Throws `StartError` where it is not
 * even one.
 */
export async function verifyBackup(
  folder: BackupFolder,
  name: string,
  {
    signal,
    report,
  }: { readonly signal: AbortSignal; readonly report: (progress: Progress) => void },
): Promise<Verdict> {
  const { tables, files, faults: before } = await readBackup(folder, name)
  const backup = folder.backupOf(name)
  const faults = [...before]
  for (const { name: table, sha256 } of tables)
    if ((await sumOrNull(rowsOf(backup, table), signal)) !== sha256)
      faults.push(`the rows of ${table} are missing or damaged`)
  const keys = await readFile(keysOf(backup), 'utf8').catch(() => '')
  if (!isJson(keys)) faults.push('keys.json is missing or damaged')
  if ((await sumOrNull(listOf(backup), signal)) !== files.sha256)
    return { ...files, faults: [...faults, 'the list of its files is missing or damaged'] }
  let doneBytes = 0
  const onChunk = ({ length }: Buffer): void => {
    doneBytes += length
    report({ doneBytes, allBytes: files.sizeBytes })
  }
  for await (const { file, sizeBytes, sha256 } of readKeptFiles(folder, name)) {
    const path = folder.fileOf(file)
    const facts = await factsOf(path)
    if (facts === null) faults.push(`${file} is missing`)
    else if (facts.sizeBytes !== sizeBytes)
      faults.push(`${file} has ${facts.sizeBytes} bytes in the place of ${sizeBytes}`)
    else if ((await readWhole({ path }, { signal, onChunk })).sha256 !== sha256)
      faults.push(`${file} is damaged`)
  }
  return { ...files, faults }
}

async function sumOrNull(path: string, signal: AbortSignal): Promise<string | null> {
  if ((await stat(path).catch(() => null)) === null) return null
  return (await readWhole({ path }, { signal })).sha256
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
