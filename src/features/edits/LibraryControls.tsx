import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { editName } from '#src/local/edits/edit-name.ts'
import { Button } from '#src/ui/Button.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { SINCES, SORTS, STATES, type LibraryAddress } from './library-address.ts'

export interface LibraryControlsProps {
  /** With what stands in the search field, which the address itself follows after a pause. */
  readonly address: LibraryAddress
  /** Formats of which the device has edits. */
  readonly formats: readonly string[]
  /** What the video of the address is called; null while all videos are shown. */
  readonly videoName: string | null
  readonly onChange: (next: LibraryAddress) => void
}

const ANY_FORMAT = { value: '', label: 'Any format' }

/** Search, order and filters of the library; all of them stand in the address. */
export function LibraryControls({ address, formats, videoName, onChange }: LibraryControlsProps) {
  return (
    <div role="search" aria-label="Library" className="mb-4 grid gap-3">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <TextField
          label="Search your edits"
          isLabelHidden
          type="search"
          placeholder="Search by name"
          value={address.search}
          onChange={(search) => onChange({ ...address, search })}
          autoComplete="off"
        />
        <SelectField
          label="Sort by"
          isLabelHidden
          value={address.sort}
          options={SORTS}
          onChange={(sort) => onChange({ ...address, sort })}
        />
      </div>
      <Filters address={address} formats={formats} onChange={onChange} />
      {videoName === null ? null : (
        <p className="flex flex-wrap items-center gap-3 text-sm text-ink-muted">
          <span className="min-w-0 wrap-anywhere">Only edits of “{videoName}”.</span>
          <Button
            variant="secondary"
            size="small"
            onPress={() => onChange({ ...address, video: null })}
          >
            Show all videos
          </Button>
        </p>
      )}
    </div>
  )
}

function Filters({
  address,
  formats,
  onChange,
}: Pick<LibraryControlsProps, 'address' | 'formats' | 'onChange'>) {
  const presets = usePresets().data ?? []
  const nameOf = (slug: string) => editName(slug, presets)
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <SelectField
        label="State"
        isLabelHidden
        value={address.state}
        options={STATES}
        onChange={(state) => onChange({ ...address, state })}
      />
      <SelectField
        label="Date"
        isLabelHidden
        value={address.since}
        options={SINCES}
        onChange={(since) => onChange({ ...address, since })}
      />
      <SelectField
        label="Format"
        isLabelHidden
        className="col-span-2 sm:col-span-1"
        value={address.format ?? ''}
        options={[ANY_FORMAT, ...formats.map((value) => ({ value, label: nameOf(value) }))]}
        onChange={(format) => onChange({ ...address, format: format === '' ? null : format })}
      />
    </div>
  )
}
