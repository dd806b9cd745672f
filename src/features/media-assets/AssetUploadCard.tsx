import { NextStepLink } from '#src/components/uploads/NextStepLink.tsx'
import { NamingRefused } from '#src/components/assets/NamingRefused.tsx'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { UploadPoster } from '#src/components/uploads/UploadPoster.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import type { AssetUpload } from '#src/hooks/assets/use-asset-uploads.ts'
import { Card } from '#src/ui/Card.tsx'

/** The file of an asset on its way: how far it is, its name, and what can be done about it. */
export function AssetUploadCard({
  upload: { row, naming },
  forPath,
}: {
  readonly upload: AssetUpload
  readonly forPath: string | null
}) {
  return (
    <Card as="li">
      <div className="flex gap-4">
        <UploadPoster uploadId={row.id} name={row.file.name} />
        <div className="min-w-0 flex-1">
          {naming === null ? null : (
            <h3 className="mb-1 font-semibold wrap-anywhere">{naming.name}</h3>
          )}
          <UploadProgress row={row} isCompact />
        </div>
      </div>
      {naming?.state.kind === 'refused' ? (
        <NamingRefused namingId={naming.id} {...naming.state} />
      ) : null}
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        <UploadControls row={row} isMainShown={naming !== null} />
        <NextStepLink row={row} forPath={forPath} />
      </div>
    </Card>
  )
}
