import { useEffect, useState } from 'react'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { SORTS, type LibraryAddress } from './library-address.ts'

const TYPING_PAUSE_MS = 300

/** Search and sort of the library; both live in the address. */
export function LibraryControls({
  address,
  onChange,
}: {
  readonly address: LibraryAddress
  readonly onChange: (next: LibraryAddress) => void
}) {
  const [typed, setTyped] = useState(address.search)
  const [seen, setSeen] = useState(address.search)
  // The address changed by Back or a link: the field follows.
  if (address.search !== seen) {
    setSeen(address.search)
    setTyped(address.search)
  }
  useEffect(() => {
    if (typed === address.search) return undefined
    const timer = setTimeout(() => onChange({ ...address, search: typed }), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, address, onChange])
  return (
    <div role="search" className="mb-6 grid gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <TextField
        label="Search your edits"
        isLabelHidden
        type="search"
        placeholder="Search by name"
        value={typed}
        onChange={setTyped}
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
  )
}
