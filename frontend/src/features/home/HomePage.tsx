import { PageHeading } from '@/ui/PageHeading';

export default function HomePage() {
  return (
    <PageHeading title="Wellhour">See a doctor you can trust, at a time that suits you</PageHeading>
  );
}
