import { ChooseDrive } from './ChooseDrive.tsx'
import { ChooseDropbox } from './ChooseDropbox.tsx'
import { PasteLink } from './PasteLink.tsx'

/**
 * The ways to a video that is not on this device. Their place is kept until it is known what this
 * server offers.
 */
export function OtherSources() {
  return (
    <div className="mt-3 flex min-h-36 flex-wrap items-start justify-center gap-3 sm:min-h-32">
      {/* A row of its own, so that the clouds stand side by side. */}
      <div className="flex basis-full justify-center empty:hidden">
        <PasteLink />
      </div>
      <ChooseDropbox />
      <ChooseDrive />
    </div>
  )
}
