-- What two people say in the same words within minutes, or in one place, is one voice until a third says it: then all three count.
UPDATE facts SET contributors = (SELECT COUNT(*) FROM contributions WHERE fact_id = facts.id)
  WHERE (SELECT COUNT(*) FROM contributions WHERE fact_id = facts.id) > 2;
