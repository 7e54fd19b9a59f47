//! Conformance suite for every engine. A case is a plain async function that takes a store; one list names them all, and one
//! macro generates a test module for each engine. A case that is not in the list is dead code and causes a warning. Custody cases
//! take the whole database.

mod audit;
mod block_care;
mod blocks;
mod copies;
mod decisions;
mod erasures;
mod fact_list;
mod facts;
mod inbox;
mod keys;
mod likeness;
mod links;
mod memories;
mod operators;
mod proof;
mod sample;
mod settings;
mod stats;
mod told;
mod usage;
mod users;
mod vectors;
mod webhooks;

use ports::sessions::Sessions;
use ports::store::Store;
use ports::store::custody::Custody;

/// A database in both roles.
pub trait Database: Store + Custody + Sessions {}
impl<D: Store + Custody + Sessions> Database for D {}

macro_rules! conformance {
    ($engine:ident, $open:expr) => {
        mod $engine {
            macro_rules! case {
                ($area:ident :: $name:ident) => {
                    #[tokio::test]
                    async fn $name() {
                        let (store, _kept) = $open.await;
                        super::$area::$name(&store).await;
                    }
                };
            }
            use super::open;
            super::cases!(case);
        }
    };
}

/// Every case, by area.
macro_rules! cases {
    ($case:ident) => {
        $case!(memories::a_memory_comes_back_as_it_was_saved);
        $case!(memories::a_scan_sees_every_own_memory_and_no_other);
        $case!(memories::each_leg_finds_by_its_own_means);
        $case!(memories::a_search_follows_what_is_written);
        $case!(memories::a_transaction_finds_what_it_wrote_and_shares_it_with_nobody);
        $case!(memories::the_nearest_come_first_with_what_they_say);
        $case!(memories::memories_are_found_by_the_date_on_which_they_were_said);
        $case!(memories::what_replaces_a_memory_has_its_own_day_and_what_confirms_it_has_not);
        $case!(memories::memories_are_found_by_the_words_they_hold);
        $case!(memories::a_search_may_want_some_kinds_only);
        $case!(memories::what_was_known_at_a_moment_is_found_and_read_as_it_was_then);
        $case!(memories::what_was_said_last_is_found_in_its_conversation);
        $case!(memories::a_text_is_held_word_for_word_or_not_at_all);
        $case!(memories::nobody_else_can_read_change_or_delete_a_memory);
        $case!(memories::lists_are_newest_first_and_paged);
        $case!(memories::the_merge_ledger_restores_what_was_there);
        $case!(memories::counting_a_recall_never_brings_a_memory_back);
        $case!(memories::lists_and_searches_keep_to_the_tags_before_anything_is_left_out);
        $case!(memories::what_is_over_is_in_no_read_and_counts_for_nothing);
        $case!(memories::a_wording_that_comes_back_says_so_until_the_next_change);
        $case!(memories::what_is_over_is_counted_shown_and_deleted_with_its_ledger);
        $case!(memories::what_deleted_memories_left_is_noted_until_it_is_cleared);
        $case!(memories::a_bad_kind_or_importance_is_refused_by_the_table);
        $case!(memories::texts_are_listed_with_their_ids);
        $case!(links::a_chat_is_linked_to_one_user_and_a_user_to_many_chats);
        $case!(links::a_code_is_taken_once_and_a_user_has_one);
        $case!(links::a_bot_never_reads_backwards);
        $case!(links::links_and_codes_go_with_their_user);
        $case!(told::notes_are_their_users_and_in_the_order_of_writing);
        $case!(told::preferences_hold_on_one_platform_or_on_all);
        $case!(told::a_learned_note_goes_with_the_text_of_its_memory);
        $case!(told::a_field_is_replaced_under_its_name);
        $case!(told::a_field_is_a_text_or_a_value_of_another_form);
        $case!(told::what_was_reset_is_read_back_by_its_user_and_conversation);
        $case!(told::a_conversation_keeps_its_last_turns_and_what_was_reset);
        $case!(inbox::a_moment_of_a_conversation_names_what_was_said_then);
        $case!(told::a_question_is_taken_once_and_grows_old);
        $case!(told::what_was_told_is_counted_and_goes_with_its_user);
        $case!(blocks::stores_are_their_users_and_found_by_id_by_name_and_as_the_default);
        $case!(blocks::a_block_comes_back_byte_for_byte_and_to_its_owner_alone);
        $case!(blocks::blocks_are_listed_by_path_or_as_written_and_filtered);
        $case!(blocks::a_search_finds_words_of_current_texts_of_one_user);
        $case!(blocks::a_word_in_a_run_without_spaces_finds_its_block);
        $case!(blocks::a_search_knows_every_write_before_it);
        $case!(blocks::a_block_is_changed_only_at_the_version_that_was_seen);
        $case!(blocks::the_last_versions_are_kept_listed_and_filtered);
        $case!(blocks::a_former_version_is_emptied_and_the_current_one_is_not);
        $case!(blocks::a_path_above_below_or_the_same_is_in_the_way);
        $case!(blocks::what_blocks_hold_is_summed_without_the_bin);
        $case!(blocks::a_block_in_the_bin_is_in_no_read_and_comes_back_or_goes);
        $case!(blocks::blocks_go_with_their_store_and_with_their_user);
        $case!(block_care::blocks_near_a_limit_and_unread_ones_are_listed_and_counted);
        $case!(block_care::the_bin_is_summed_by_what_would_come_back);
        $case!(block_care::refusals_are_counted_by_rule_and_day_for_users_who_are_known);
        $case!(block_care::a_block_is_found_wherever_it_is_by_its_owner);
        $case!(facts::a_new_fact_is_pending_and_found_in_memory);
        $case!(facts::a_fact_of_an_open_transaction_is_seen_by_it_alone);
        $case!(facts::a_reader_left_behind_reads_everything_again);
        $case!(facts::a_status_changes_once_per_version);
        $case!(facts::the_same_person_twice_is_one_contributor);
        $case!(facts::the_pending_facts_of_a_day_are_counted_for_each_person);
        $case!(facts::an_echo_counts_once_there_are_three);
        $case!(facts::a_contradiction_is_one_row_whichever_way_it_is_told);
        $case!(facts::a_fact_is_disputed_only_by_what_is_approved_or_corroborated);
        $case!(facts::lists_filter_sort_and_page);
        $case!(facts::facts_are_found_by_their_confidence_and_by_who_stands_behind_them);
        $case!(facts::what_was_decided_and_what_was_proposed_again_is_found);
        $case!(facts::why_a_fact_is_rejected_is_kept_found_and_gone_with_the_rejection);
        $case!(facts::a_mark_changes_with_every_version_and_with_nothing_else);
        $case!(facts::a_search_ranks_by_score_and_keeps_its_conditions);
        $case!(facts::a_facts_words_lift_it_over_nearer_ones);
        $case!(facts::a_transaction_searches_what_it_has_written);
        $case!(facts::recalls_are_counted_by_surface_and_day);
        $case!(facts::withdrawing_deletes_what_nobody_else_said);
        $case!(facts::a_repeated_fact_keeps_its_text_and_is_confirmed);
        $case!(facts::a_statement_is_split_off_with_the_contributor_who_came_with_it);
        $case!(decisions::a_decision_is_found_by_its_session_until_it_is_undone);
        $case!(decisions::decisions_are_purged_with_what_was_there_before);
        $case!(decisions::a_fact_is_changed_only_at_the_version_that_was_seen);
        $case!(decisions::two_facts_become_one_with_each_person_once);
        $case!(decisions::what_was_said_moves_with_its_fact_and_is_found_by_its_person);
        $case!(decisions::a_merged_fact_comes_back_with_its_people);
        $case!(decisions::a_closed_contradiction_opens_again_when_its_decision_is_undone);
        $case!(decisions::decisions_of_a_day_are_counted_by_operator);
        $case!(decisions::views_are_own_or_shared);
        $case!(fact_list::facts_are_found_by_words_and_by_the_start_of_their_id);
        $case!(fact_list::search_follows_edits_and_deletions);
        $case!(fact_list::a_word_in_a_run_without_spaces_finds_its_fact);
        $case!(fact_list::lists_sort_and_slice_and_count);
        $case!(fact_list::recalls_are_summed_by_surface_since_a_day);
        $case!(fact_list::the_record_of_one_fact_is_read_newest_first);
        $case!(fact_list::one_contradiction_is_closed_and_others_stay);
        $case!(inbox::an_exchange_is_learned_once);
        $case!(inbox::the_hosts_id_makes_sending_again_a_no_op);
        $case!(inbox::text_is_gone_when_learned);
        $case!(inbox::a_postponed_exchange_waits_and_a_parked_one_is_not_due);
        $case!(inbox::users_take_turns_and_an_attempt_counts_before_it_begins);
        $case!(inbox::exchanges_of_a_user_wait_until_enough_are_there);
        $case!(inbox::a_turn_is_as_many_as_are_read_together);
        $case!(inbox::what_was_parked_can_be_queued_again);
        $case!(inbox::what_arrives_for_the_team_is_taken_out_once_and_goes_with_its_user);
        $case!(inbox::an_answer_is_kept_for_its_key);
        $case!(inbox::old_rows_are_purged);
        $case!(operators::operators_are_found_by_email_and_id);
        $case!(keys::keys_are_found_by_hash_and_by_id);
        $case!(keys::an_id_is_given_to_one_key);
        $case!(keys::a_key_is_replaced_by_one_other);
        $case!(keys::a_keys_life_is_set_and_told);
        $case!(keys::a_keys_first_call_is_kept_and_its_last_use_only_moves_on);
        $case!(keys::keys_are_listed_by_their_state_newest_first_and_paged);
        $case!(settings::settings_keep_a_version);
        $case!(operators::sessions_live_until_they_expire);
        $case!(audit::the_audit_log_cannot_be_changed);
        $case!(stats::counters_add_up);
        $case!(erasures::deleting_a_user_leaves_nothing_that_hangs_on_it);
        $case!(erasures::an_epoch_only_rises);
        $case!(erasures::a_dropped_transaction_changes_nothing);
        $case!(erasures::the_ledger_is_written_first_and_outlives_the_user);
        $case!(erasures::a_taken_back_order_leaves_nothing_and_a_done_one_stays);
        $case!(erasures::a_fence_stands_while_an_erasure_is_not_proved);
        $case!(erasures::the_lighter_erasure_leaves_memories_and_the_personal_half_of_what_waits);
        $case!(erasures::an_export_gives_what_the_inventory_gives);
        $case!(erasures::pages_of_an_export_have_every_row_once);
        $case!(erasures::fingerprints_are_taken_of_everything_that_goes);
        $case!(erasures::unfinished_work_is_listed_first);
        $case!(proof::what_is_left_is_found_wherever_it_lies);
        $case!(proof::a_contribution_that_is_left_is_told);
        $case!(proof::a_fact_that_should_be_gone_is_told);
        $case!(copies::the_ledger_beside_the_database_keeps_its_lines);
        $case!(copies::a_copy_is_whole_and_says_what_it_is);
        $case!(copies::a_place_opens_and_takes_a_copy);
        $case!(copies::a_database_put_in_place_by_hand_is_told_from_a_newer_one);
        $case!(copies::a_sound_database_passes_its_checks);
        $case!(stats::totals_follow_every_row_that_comes_changes_and_goes);
        $case!(stats::a_removal_is_booked_on_its_own_day);
        $case!(stats::a_decision_moves_a_fact_from_one_state_to_the_other);
        $case!(stats::recalls_leave_a_span_with_their_day);
        $case!(stats::the_newest_change_of_a_setting_is_found);
        $case!(likeness::facts_on_either_side_of_a_value_are_told_nearest_first);
        $case!(likeness::what_was_merged_or_flagged_is_told_from_a_value_on);
        $case!(settings::the_history_of_settings_is_newest_first_and_knows_what_belonged_together);
        $case!(settings::similarities_of_past_writes_come_back_as_numbers);
        $case!(settings::writes_that_stayed_apart_are_counted_by_their_nearness);
        $case!(audit::a_reason_stands_beside_its_row_alone);
        $case!(usage::calls_are_summed_by_day_purpose_and_model);
        $case!(usage::reserved_tokens_count_until_they_are_used_given_back_or_expired);
        $case!(users::users_are_found_by_the_start_of_their_id_as_it_is_written);
        $case!(users::holdings_count_what_is_held_about_one_user);
        $case!(users::a_glance_counts_what_was_there_before_a_moment);
        $case!(users::an_opening_is_one_operators_one_users_and_ends);
        $case!(audit::the_log_filters_and_pages_newest_first);
        $case!(audit::what_operators_did_is_counted_by_day);
        $case!(audit::rows_of_one_bulk_decision_are_one_entry);
        $case!(audit::rows_about_a_user_come_with_their_reasons);
        $case!(keys::keys_are_named_while_they_exist);
        $case!(operators::rights_change_and_other_editors_are_counted);
        $case!(operators::an_operators_sessions_end_but_for_one);
        $case!(vectors::every_vector_can_be_replaced_and_the_place_is_kept);
        $case!(vectors::a_vector_may_be_of_any_length_and_all_can_be_replaced_by_longer_ones);
        $case!(vectors::a_vector_is_as_long_as_the_named_embedder_makes_them);
        $case!(vectors::the_embedder_is_named_once_and_changed_on_request);
        $case!(webhooks::an_event_is_for_those_who_want_it);
        $case!(webhooks::a_message_is_taken_by_one_process_until_its_lease_ends);
        $case!(webhooks::a_message_waits_and_can_be_sent_again);
        $case!(webhooks::addresses_take_turns);
        $case!(webhooks::messages_go_with_their_address_and_with_time);
    };
}
use cases;

/// A fresh SQLite file in a temporary folder that the caller keeps for the test.
async fn open() -> (crate::sqlite::SqliteStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = crate::sqlite::SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
    (store, folder)
}

conformance!(sqlite, open());
