import { dateWords } from '#src/lib/time-words.ts'
import type { Storage } from '#src/hooks/account/use-storage.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Disclosure } from '#src/ui/Disclosure.tsx'

type Deletion = NonNullable<Storage['deletions']>[number]

const WHAT: Readonly<Record<Deletion['what'], string>> = {
  video: 'the video',
  asset: 'the media asset',
  edits: 'its edits',
}

const BY: Readonly<Record<Deletion['reason'], string>> = {
  owner: 'by you',
  rule: 'by your rule',
  retention: 'because its time here was over',
  report: 'by the operator',
}

/** What was deleted last, by what, and when its bytes were gone. */
export function Deletions({ deletions }: { readonly deletions: readonly Deletion[] }) {
  return (
    <Disclosure title="What was deleted">
      <ul className="flex flex-col gap-2 text-sm">
        {deletions.map((line) => (
          <li key={line._id} className="flex flex-col">
            <span className="font-semibold wrap-anywhere">{line.name ?? 'A video'}</span>
            <span className="text-ink-muted">{wordsOf(line)}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

function wordsOf({ what, reason, sizeBytes, begunAt, doneAt }: Deletion): string {
  const deleted = `${WHAT[what]} (${formatBytes(sizeBytes)}) ${BY[reason]} on ${dateWords(Date.parse(begunAt))}`
  const gone = doneAt === null ? 'its bytes are being removed' : 'its bytes are gone'
  return `${deleted[0]?.toUpperCase()}${deleted.slice(1)}; ${gone}.`
}
