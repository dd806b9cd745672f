import { ConnectDrive } from '#src/components/drive/ConnectDrive.tsx'
import { paths } from '#src/config/paths.ts'
import { useImportRate } from './use-import-rate.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { OpenUpload, ServerImport } from '#src/local/db/facts.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { importPercent, importWords } from './import-words.ts'
import { RenewImport } from './RenewImport.tsx'

export interface ImportProgressProps {
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
  readonly open: OpenUpload
  readonly fetching: ServerImport
}

/** What a person does about an import that waits for them; that there is nothing to do, else. */
function NextStep({
  uploadRequestId,
  fetching: { waitsFor, provider },
}: Pick<ImportProgressProps, 'uploadRequestId' | 'fetching'>) {
  if (waitsFor === 'link')
    return <RenewImport uploadRequestId={uploadRequestId} provider={provider} />
  if (waitsFor === 'sign-in')
    return (
      <ConnectDrive
        label="Reconnect"
        provider="google-oauth"
        landing={paths.newUpload}
        size="small"
        className="self-start"
      />
    )
  return (
    <p className="text-sm text-ink-muted">
      The server fetches it. You can close this page and switch this device off.
    </p>
  )
}

/** How far the server is with a video that it fetches; the same on all devices. */
export function ImportProgress({
  uploadRequestId,
  name,
  sizeBytes,
  open,
  fetching,
}: ImportProgressProps) {
  const { waitsFor, askedAtEpochMs } = fetching
  const nowEpochMs = useNow(waitsFor === null ? null : SECOND_MS)
  const rate = useImportRate({
    bytes: open.safeBytes,
    atEpochMs: askedAtEpochMs,
    isComing: waitsFor === null,
  })
  const words = importWords({ open, fetching, sizeBytes, rate, nowEpochMs })
  return (
    <div className="flex w-full flex-col gap-1.5">
      <ProgressBar
        label={`Import of ${name}`}
        isLabelHidden
        percent={importPercent(open.safeBytes, sizeBytes)}
      />
      {/* Screen readers announce the stages, not bytes and countdowns. */}
      <p role="status" className="leading-snug font-medium">
        {words.title}
      </p>
      <p className="text-sm text-ink-muted tabular-nums">{words.facts}</p>
      {words.advice === null ? null : (
        <p className="text-sm text-ink-muted tabular-nums">{words.advice}</p>
      )}
      <NextStep uploadRequestId={uploadRequestId} fetching={fetching} />
    </div>
  )
}
