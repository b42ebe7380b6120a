import { Pending } from '../listing.tsx';
import { useQuery } from '../query.ts';

/** The import, whose script is loaded on its first use: the reader of files is a third of the page, and few people import. */
export function Import() {
  const { data, ...loading } = useQuery(() => import('./import/import.tsx'), []);
  return data ? <data.Import /> : <Pending {...loading} data={data} />;
}
