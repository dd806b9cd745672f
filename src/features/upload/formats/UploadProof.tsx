import { onlyWords, rangeWords } from '#src/components/upload-words/trim-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { Disclosure } from '#src/ui/Disclosure.tsx'

/**
 * The hash of the whole that server and device agreed on, for a person who wants to know that the
 * file arrived as it is. Renders nothing where this device could not compare it.
 */
export function UploadProof({ row: { plan, treeSha256, trim } }: { readonly row: UploadRow }) {
  if (treeSha256 === undefined || plan === null) return null
  const sent = trim === undefined ? 'the whole file' : rangeWords(trim)
  return (
    <Disclosure title={`Proof that ${sent} arrived`} className="mt-2">
      <p className="text-sm">
        {trim === undefined
          ? 'This device and the server each computed a checksum, one from your file and one from what is stored.'
          : `You sent ${onlyWords(trim)} of your file of ${formatBytes(trim.wholeSizeBytes)}. This device and the server each computed a checksum, one from what was sent and one from what is stored.`}{' '}
        Both are the same, so not a single byte is missing or different.
      </p>
      <p className="mt-3 rounded-control bg-surface-sunken p-3 font-mono text-sm wrap-anywhere text-ink">
        {treeSha256}
      </p>
      <p className="mt-3 text-sm">
        {methodWords(plan, trim === undefined ? 'the file' : 'what was sent')}
      </p>
      <div className="mt-3">
        <CopyButton size="small" label="Copy the checksum" text={() => treeSha256} />
      </div>
    </Disclosure>
  )
}

/** How another program computes the same checksum. @param file what it is computed of */
function methodWords(
  { partCount, partSizeBytes }: NonNullable<UploadRow['plan']>,
  file: string,
): string {
  return partCount === 1
    ? `For experts: the SHA-256 of the SHA-256 of ${file}, in base64, and -1.`
    : `For experts: cut ${file} into ${partCount} parts of ${partSizeBytes} bytes (the last is shorter), take the SHA-256 of each, then the SHA-256 of these in a row, in base64, and -${partCount}.`
}
