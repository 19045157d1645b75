package channel

// reason is why a payment is refused, in x402's words.
type reason string

// Error implements error.
func (r reason) Error() string { return string(r) }

const prefix = "invalid_batch_settlement_evm_"

// The reasons of both sides.
const (
	errScheme                  reason = prefix + "scheme"
	errNetwork                 reason = prefix + "network_mismatch"
	errPayloadType             reason = prefix + "payload_type"
	errChannelID               reason = prefix + "channel_id_mismatch"
	errReceiver                reason = prefix + "receiver_mismatch"
	errReceiverAuthorizer      reason = prefix + "receiver_authorizer_mismatch"
	errToken                   reason = prefix + "token_mismatch"
	errDelay                   reason = prefix + "withdraw_delay_mismatch"
	errDelayRange              reason = prefix + "withdraw_delay_out_of_range"
	errVoucherSignature        reason = prefix + "voucher_signature"
	errNotFound                reason = prefix + "channel_not_found"
	errExceedsBalance          reason = prefix + "cumulative_exceeds_balance"
	errBelowClaimed            reason = prefix + "cumulative_below_claimed"
	errInsufficientBalance     reason = prefix + "insufficient_balance"
	errRead                    reason = prefix + "rpc_read_failed"
	errAuthorizationRequired   reason = prefix + "erc3009_authorization_required"
	errMissingDomain           reason = prefix + "missing_eip712_domain"
	errValidBefore             reason = prefix + "payload_authorization_valid_before"
	errValidAfter              reason = prefix + "payload_authorization_valid_after"
	errAuthorizationSignature  reason = prefix + "receive_authorization_signature"
	errFactory                 reason = prefix + "eip6492_factory_not_allowed"
	errDeployment              reason = prefix + "smart_wallet_deployment_failed"
	errPermit2Spender          reason = prefix + "permit2_invalid_spender"
	errPermit2Amount           reason = prefix + "permit2_amount_mismatch"
	errPermit2Deadline         reason = prefix + "permit2_deadline_expired"
	errPermit2Signature        reason = prefix + "permit2_invalid_signature"
	errPermit2Allowance        reason = prefix + "permit2_allowance_required"
	errPermitAmount            reason = prefix + "eip2612_amount_mismatch"
	errDepositSimulation       reason = prefix + "deposit_simulation_failed"
	errDeposit                 reason = prefix + "deposit_transaction_failed"
	errAuthorizerNotConfigured reason = prefix + "authorizer_not_configured"
	errAuthorizer              reason = prefix + "authorizer_address_mismatch"
	errClaimSimulation         reason = prefix + "claim_simulation_failed"
	errClaim                   reason = prefix + "claim_transaction_failed"
	errNothingToSettle         reason = prefix + "nothing_to_settle"
	errSettleSimulation        reason = prefix + "settle_simulation_failed"
	errSettle                  reason = prefix + "settle_transaction_failed"
	errRefundNoBalance         reason = prefix + "refund_no_balance"
	errRefundSimulation        reason = prefix + "refund_simulation_failed"
	errRefund                  reason = prefix + "refund_transaction_failed"
	errRefundAmount            reason = prefix + "refund_amount_invalid"
	errCumulativeMismatch      reason = prefix + "cumulative_amount_mismatch"
	errBusy                    reason = prefix + "channel_busy"
	errMissingChannel          reason = prefix + "missing_channel"
	errChargeExceeds           reason = prefix + "charge_exceeds_signed_cumulative"
	errVerificationUnavailable reason = prefix + "verification_state_unavailable"
	errDepositBelowMin         reason = prefix + "deposit_below_min_deposit"
)
