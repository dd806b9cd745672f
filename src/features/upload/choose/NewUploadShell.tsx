import { FolderOpen } from 'lucide-react'
import { CHOOSE_COLUMNS, CHOOSE_WORDS } from './choose-words.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { buttonLook } from '#src/ui/button-look.ts'
import { DropZoneFrame } from '#src/ui/DropZoneFrame.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** The look of `NewUpload` before the app has started: no file can be chosen yet. */
export function NewUploadShell() {
  return (
    <FlowFrame step="upload">
      <div className={CHOOSE_COLUMNS}>
        <div className="grid gap-6">
          <div>
            <DropZoneFrame
              state="idle"
              title={CHOOSE_WORDS.title}
              button={
                <button
                  type="button"
                  disabled
                  data-disabled
                  className={buttonLook('primary', 'large')}
                >
                  <FolderOpen aria-hidden className="size-5" />
                  {CHOOSE_WORDS.button}
                </button>
              }
              hint={CHOOSE_WORDS.hint}
            />
            {/* The place of the other sources. */}
            <div className="mt-3 min-h-36 sm:min-h-32" />
            {/* The place of the tokens to spend. */}
            <div className="mt-3 min-h-12" />
          </div>
          <Skeleton className="h-64" />
        </div>
        <section>
          <h2 className="mb-4 text-xl font-semibold">{CHOOSE_WORDS.preview}</h2>
          <Notice className="mb-5">{CHOOSE_WORDS.previewHint}</Notice>
          <Skeleton className="h-[100dvh]" />
        </section>
      </div>
    </FlowFrame>
  )
}
