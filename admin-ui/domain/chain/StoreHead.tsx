import { Link } from '@tanstack/react-router';

type StoreHeadProps = { store: { store_id: string; store_name: string; region: string } };

/** Row header of a store: its name as a link, and its region. */
export function StoreHead({ store: { store_id: storeId, store_name: name, region } }: StoreHeadProps) {
  return (
    <th scope="row">
      <Link to="/stores/$storeId" params={{ storeId }}>
        {name}
      </Link>
      {region !== '' && <small className="quiet">{region}</small>}
    </th>
  );
}
