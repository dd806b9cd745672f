import { ContinueElsewhere } from '#src/components/uploads/ContinueElsewhere.tsx'
import { DiscardElsewhere } from '#src/components/uploads/DiscardElsewhere.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { useAssetsElsewhere, type AssetElsewhere } from './use-assets-elsewhere.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Card } from '#src/ui/Card.tsx'

/** Unfinished files of assets that the server knows and this device does not hold. */
export function AssetsElsewhere() {
  const uploads = useAssetsElsewhere()
  return uploads.length === 0 ? null : (
    <Card as="section" labelledBy="assets-elsewhere" className="mb-6">
      <h3 id="assets-elsewhere" className="text-lg font-semibold">
        Unfinished uploads from elsewhere
      </h3>
      <p className="mt-1 text-sm text-ink-muted">
        What has arrived is safe. To continue one here, choose its file again.
      </p>
      <ul className="mt-4 divide-y divide-line">
        {uploads.map((upload) => (
          <ElsewhereItem key={upload.uploadRequestId} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}

function ElsewhereItem({ upload }: { readonly upload: AssetElsewhere }) {
  const { uploadRequestId, name, sizeBytes, createdAt, open } = upload
  return (
    <li className="flex flex-col items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div>
        <h4 title={name} className="line-clamp-3 font-semibold wrap-break-word">
          {name}
        </h4>
        <p className="mt-0.5 mb-1 text-sm text-ink-muted tabular-nums">
          {`${formatBytes(sizeBytes)} · ${dateWords(Date.parse(createdAt))}`}
        </p>
        <ContinueElsewhere
          purpose="media-asset"
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          open={open}
        />
      </div>
      <DiscardElsewhere
        uploadRequestId={uploadRequestId}
        name={name}
        sizeBytes={sizeBytes}
        safeBytes={open.safeBytes}
      />
    </li>
  )
}
