import type { OperationCases } from '#tests/contract/cases/operation-case.ts'

const id = '0197a3f2-7c1e-7b90-a111-0000000000e5'
const editSet = {
  name: 'My usual one',
  mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
}

export const editSetCases: OperationCases = {
  listEditSets: { valid: async () => ({ status: 200 }) },
  // The client makes the id, so that one which no set has is right. Ids of other accounts are in
  // tests/integration/edit-sets.
  saveEditSet: {
    valid: async () => ({ params: { id }, body: { editSet }, status: 200 }),
    isOwned: false,
    invalid: [{ body: { editSet: { ...editSet, name: '  ' } }, field: 'editSet.name' }],
  },
  deleteEditSet: { valid: async () => ({ params: { id }, status: 204 }), isOwned: false },
}
